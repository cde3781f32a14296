// SPDX-License-Identifier: GPL-3.0-or-later
//
// acp-peer.c's `updates` with the official SDK, whose folder is its argument: an agent as they are, which
// writes line by line.
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const { exports } = (await import(pathToFileURL(join(folder, 'package.json')), { with: { type: 'json' } })).default;
const acp = await import(pathToFileURL(join(folder, exports['.'].import ?? exports['.'].default ?? exports['.'])));
const { methods } = acp;
const words = [' the', ' function', ' returns', ' a', ' list', ' of', ' jobs', '.\n'];

acp.agent({ name: 'bench' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: {} }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 'bench' }))
  .onRequest(methods.agent.session.setMode, () => ({}))
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [what, n] = params.prompt[0].text.split(' ');
    if (what === 'updates')
      for (let i = 0; i < Number(n); i++)
        await client.notify(methods.client.session.update, {
          sessionId: 'bench',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words[i % 8] } },
        });
    return { stopReason: 'end_turn' };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
