/** For tests: a database proxy that simulates failures of networks and remote machines. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DatabaseProxy {
  url: string;
  /** Drops all bytes on the open connections, in both directions, without closing them. New connections still work. */
  silence(): void;
  /** If `all` is true, also drops the bytes of new connections. */
  swallow(all: boolean): void;
  close(): Promise<void>;
}

/** Starts a proxy for the server at `url`, which contains the server's port or socket directory. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const port = target.port || '5432';
  const open = new Set<{ sockets: Socket[]; silent: boolean }>();
  let swallows = false;
  const server = createServer((client) => {
    const upstream = folder?.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect(Number(port), target.hostname);
    const link = { sockets: [client, upstream], silent: swallows };
    open.add(link);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => link.silent || to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => link.silent || to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  target.searchParams.delete('host');
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: target.href,
    silence: () => open.forEach((link) => (link.silent = true)),
    swallow: (all) => void (swallows = all),
    async close() {
      for (const { sockets } of open) sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
