/** Instances of the service in separate processes, which can be killed and restarted at the same address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { serviceProgram } from '../../server/testing-program.ts';
import { freePort } from '../../tooling/free-port.ts';

export interface Instance {
  url: string;
  start(): Promise<void>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

/** Creates an instance on a free port, without starting it. */
export async function createInstance(env: Record<string, string>): Promise<Instance> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      const started = spawn(process.execPath, serviceProgram(), {
        env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'error', ...env, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        started.stdout.on('data', (chunk) => {
          if (String(chunk).includes('ready: ')) resolve();
        });
        started.on('exit', (code, signal) => reject(new Error(`an instance exited unexpectedly: ${code ?? signal}`)));
      });
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
