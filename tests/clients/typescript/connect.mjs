// Both generations of the official TypeScript SDK, behind the calls that they have in common.

import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const STATELESS = '2026-07-28';

/** Which package plays which version. */
export const SESSIONS = [
  ['sdk', '2024-11-05'],
  ['sdk', '2025-11-25'],
  ['client', '2025-11-25'],
  ['client', STATELESS],
];

/** A client that is connected and speaks `version`. */
export async function connect(generation, version, name, target) {
  const [Stdio, Http] = generation === 'sdk' ? [OldStdio, OldHttp] : [NewStdio, NewHttp];
  const transport = target.address
    ? new Http(new URL(target.address), { requestInit: { headers: { Authorization: `Bearer ${target.token}` } } })
    : new Stdio({ command: target.binary, args: ['mcp'], cwd: target.folder, env: target.environment });
  const me = { name, version: '1.0' };
  if (generation === 'sdk') {
    offer(transport, version);
    const client = new OldClient(me);
    await client.connect(transport);
    return { client, spoken: () => transport.protocolVersion ?? transport.agreed };
  }
  const client = new NewClient(me, options(version));
  await client.connect(transport);
  return { client, spoken: () => client.getNegotiatedProtocolVersion() };
}

/** The new package says which era it wants; it asks with `server/discover` whether there is one that is newer. */
function options(version) {
  if (version >= STATELESS) return { versionNegotiation: { mode: 'auto' } };
  return { supportedProtocolVersions: [version] };
}

/** The old package always offers its newest; an older client is one that offers less. */
function offer(transport, version) {
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    if (message.method === 'initialize') message.params.protocolVersion = version;
    return send(message, ...rest);
  };
  // Over standard streams the SDK keeps the version to itself.
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (agreed) => {
    transport.agreed = agreed;
    tell?.(agreed);
  };
}
