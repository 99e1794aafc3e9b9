import { answering, type RecordedRequest } from '../../testkit/network/answers.ts';
import { Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const NOBODY = 'http://localhost:1';
export const handlers = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
export const create = (workerRun: WorkerRun, restored = false) =>
  handlers(workerRun)['vault/create']({ words: WORDS, password: PASSWORD, restored });

/** Starts a server that acts as a service, an ARC server and an index, with the given state. */
export async function party(state: { network?: string; chain?: unknown; fee?: unknown; down?: boolean } = {}) {
  const { url, asked } = await answering((one: RecordedRequest) => {
    if (state.down) return { status: 503 };
    if (one.url === '/api/v2/network')
      return {
        body: {
          network: state.network ?? 'devnet',
          arcUrl: `${url}/arc`,
          wocUrl: `${url}/woc`,
          feePolicy: { satoshis: 1, bytes: 1000 },
        },
      };
    if (one.url.endsWith('/v1/policy'))
      return {
        body: {
          policy: {
            maxscriptsizepolicy: 1,
            maxtxsizepolicy: 1,
            maxtxsigopscountspolicy: 1,
            miningFee: state.fee ?? { satoshis: 100, bytes: 1000 },
          },
        },
      };
    if (one.url.endsWith('/chain/info'))
      return {
        body: {
          blocks: 1,
          bestblockhash: 'ab'.repeat(32),
          ...('chain' in state ? { chain: state.chain } : { chain: 'test' }),
        },
      };
    return { status: 404 };
  });
  return {
    state,
    url,
    urls: { arcUrl: `${url}/arc`, wocUrl: `${url}/woc` },
    asked,
    paths: () => asked.map((a) => a.url),
  };
}

export async function start(serviceUrl: string): Promise<WorkerRun> {
  return new Profile(serviceUrl).start();
}
