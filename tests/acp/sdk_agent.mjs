// SPDX-License-Identifier: GPL-3.0-or-later
//
// An agent on the official SDK: one turn that uses all that a client serves. What it finds is what it
// says, a line of JSON for each thing.
import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import * as acp from 'acp-sdk-1';

const session = 'sdk-session';

class Agent {
  constructor(connection) {
    this.connection = connection;
  }

  async initialize(params) {
    this.capabilities = params.clientCapabilities;
    return { protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} };
  }

  async newSession(params) {
    this.cwd = params.cwd;
    return { sessionId: session };
  }

  async authenticate() {
    return {};
  }

  async cancel() {}

  async say(value) {
    await this.connection.sessionUpdate({
      sessionId: session,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: JSON.stringify(value) + '\n' } },
    });
  }

  async terminals() {
    const terminal = await this.connection.createTerminal({ sessionId: session, command: 'sh', args: ['-c', 'echo out; exit 3'] });
    await this.connection.sessionUpdate({
      sessionId: session,
      update: {
        sessionUpdate: 'tool_call', toolCallId: 'run', title: 'Run it', kind: 'execute', status: 'in_progress',
        content: [{ type: 'terminal', terminalId: terminal.id }],
      },
    });
    const [first, second] = await Promise.all([terminal.waitForExit(), terminal.waitForExit()]);
    await this.say({ first, second, output: await terminal.currentOutput() });
    await terminal.release();

    const hanging = await this.connection.createTerminal({ sessionId: session, command: 'echo up; sleep 1000' });
    while (!(await hanging.currentOutput()).output.includes('up'))
      await new Promise(resolve => setTimeout(resolve, 10));
    const running = await hanging.currentOutput();
    await hanging.kill();
    const killed = await hanging.waitForExit();
    await this.say({ running: running.exitStatus ?? null, killed: killed.signal !== null && killed.exitCode === null });
    await hanging.release();
    try {
      await hanging.currentOutput();
    } catch (error) {
      await this.say({ released: error.code });
    }
  }

  async prompt() {
    const file = this.cwd + '/made/by-the-agent.txt';
    await this.connection.writeTextFile({ sessionId: session, path: file, content: 'one\ntwo\n' });
    const { content } = await this.connection.readTextFile({ sessionId: session, path: file, line: 2 });
    await this.say({ content, onDisk: readFileSync(file, 'utf8') });
    await this.terminals();
    const { outcome } = await this.connection.requestPermission({
      sessionId: session, toolCall: { toolCallId: 'run' },
      options: [{ optionId: 'go', name: 'Go', kind: 'allow_once' }, { optionId: 'stop', name: 'Stop', kind: 'reject_once' }],
    });
    await this.say({ outcome });
    return { stopReason: 'end_turn' };
  }
}

new acp.AgentSideConnection(connection => new Agent(connection),
                            acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
