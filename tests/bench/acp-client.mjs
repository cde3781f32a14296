// SPDX-License-Identifier: GPL-3.0-or-later
//
// The official SDK's client, doing what bench-acp.c does and printing the same; it keeps the answer's text
// and nothing else. Its arguments are the same too, after the SDK's folder.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [folder, what, number, ...agent] = process.argv.slice(2);
const { exports } = (await import(pathToFileURL(join(folder, 'package.json')), { with: { type: 'json' } })).default;
const acp = await import(pathToFileURL(join(folder, exports['.'].import ?? exports['.'].default ?? exports['.'])));
const n = Number(number);
const { methods } = acp;
const child = spawn(agent[0], agent.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
let text = '';
let updates = 0;

const client = acp.client({ name: 'bench' })
  .onRequest(methods.client.session.requestPermission, ({ params }) => ({
    outcome: { outcome: 'selected', optionId: params.options[0].optionId },
  }))
  .onNotification(methods.client.session.update, ({ params }) => {
    updates++;
    if (params.update.sessionUpdate === 'agent_message_chunk')
      text += params.update.content.text;
  });

await client.connectWith(stream, async (agent) => {
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
  const prompt = text => agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();

  if (what === 'calls')
    for (let i = 0; i < n; i++)
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'a' });
  else if (what === 'turns')
    for (let i = 0; i < n; i++)
      await prompt('Hi');
  else
    await prompt(`${what} ${n}`);

  const took = Number((process.hrtime.bigint() - began) / 1000n);
  const { user, system } = process.cpuUsage(cpu);
  console.log(what === 'updates' ? updates : n, took, user + system, 0);
});
child.kill();
process.exit(0);
