/** Runs nginx in front of instances, with the upstream and location blocks of `deploy/nginx.conf`, without TLS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tooling/free-port.ts';

const EXAMPLE = fileURLToPath(new URL('../../deploy/nginx.conf', import.meta.url));

/** Starts nginx, which must be on the PATH. @returns its address */
export async function startNginx(instances: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const example = await readFile(EXAMPLE, 'utf8');
  const upstream = /upstream \w+ \{[^}]*\}/.exec(example)?.[0] ?? '';
  const location = /location \/ \{[^}]*\}/.exec(example)?.[0] ?? '';
  const limits = [...example.matchAll(/^ {4}(?:client_max_body_size|large_client_header_buffers) [^;]+;/gm)].join('');
  let turn = 0;
  const servers = upstream.replaceAll(/127\.0\.0\.1:\d+/g, () => new URL(instances[turn++] ?? '').host);
  if (turn !== instances.length || location === '')
    throw new Error('deploy/nginx.conf no longer contains the expected lines');
  const directory = await mkdtemp(join(tmpdir(), 'soak-nginx-'));
  // If nginx is started as root, it buffers request bodies as a different user, who needs access.
  await chmod(directory, 0o755);
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; events {}
http { access_log off; ${paths.join(' ')} ${servers}
server { listen 127.0.0.1:${port}; ${limits} ${location} } }`,
  );
  const nginx = spawn('nginx', ['-c', file, '-p', directory], { stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    nginx.once('error', reject).once('spawn', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const gone = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
