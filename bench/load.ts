/** A load generator for a server on this machine. It uses raw sockets, which need little CPU time. */
import { connect, type Socket } from 'node:net';

export interface Load {
  requests: number;
  requestsPerSecond: number;
  p99Ms: number;
  /** Number of responses with an unexpected status, and of broken connections. */
  errors: number;
  firstError: string | null;
}

/** The exact bytes of a request, and its expected status. */
export interface Ask {
  bytes: Buffer;
  status: number;
}

export function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
  status = 200,
): Ask {
  const lines = Object.entries({
    Host: 'localhost',
    ...headers,
    ...(body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}),
  });
  return {
    bytes: Buffer.from(
      `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    ),
    status,
  };
}

/**
 * Sends requests on keep-alive connections. Each connection waits for its response before it sends the next request.
 * @param next returns the next request for any connection
 * @param pauseMs pause after a response
 */
export async function load(
  port: number,
  next: () => Ask,
  { connections = 64, seconds = 4, pauseMs = 0 } = {},
): Promise<Load> {
  const times: number[] = [];
  let [errors, firstError] = [0, null as string | null];
  const failed = (why: string) => {
    errors += 1;
    firstError ??= why;
  };
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      onOneConnection(
        port,
        next,
        () => performance.now() < end,
        (ms) => times.push(ms),
        failed,
        pauseMs,
      ),
    ),
  );
  const took = performance.now() - start;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    requestsPerSecond: (times.length / took) * 1000,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    errors,
    firstError,
  };
}

function onOneConnection(
  port: number,
  next: () => Ask,
  goesOn: () => boolean,
  took: (ms: number) => void,
  failed: (why: string) => void,
  pauseMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let wanted = 0;
    let sent = 0;
    let buffered = '';
    const send = () => {
      if (!goesOn()) {
        socket.end();
        return;
      }
      const { bytes, status } = next();
      wanted = status;
      sent = performance.now();
      socket.write(bytes);
    };
    socket.on('connect', send);
    // Latin-1, because Content-Length counts bytes.
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      buffered += chunk;
      const head = buffered.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(buffered.slice(0, head))?.[1] ?? 0);
      if (buffered.length < head + 4 + length) return;
      const status = Number(buffered.slice(9, 12));
      if (status === wanted) took(performance.now() - sent);
      else failed(`${status}: ${buffered.slice(head + 4, head + 204)}`);
      buffered = '';
      if (pauseMs > 0) setTimeout(send, pauseMs);
      else send();
    });
    socket
      .on('error', (error) => failed(error.message))
      .on('close', () => {
        // The server closed the connection without a response.
        if (goesOn()) failed('connection closed');
        resolve();
      });
  });
}
