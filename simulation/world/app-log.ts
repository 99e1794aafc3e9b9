/** The service's log of applications' data, in sealed blocks. */
import type { StoredBlock } from '../../protocol/http/app-log.ts';

const PATH = '/api/v2/me/app-log/';
/** Maximum blocks per response. */
const PAGE_BLOCKS = 20;

export class AppLog {
  #blocks: StoredBlock[] = [];
  #position = 0;

  /** Answers a request, or null if it isn't about the log. */
  answer(method: string, path: string, body: string): { status?: number; body?: unknown } | null {
    if (!path.startsWith(PATH)) return null;
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const part = pathname.slice(PATH.length);
    if (part === 'blocks' && method === 'GET') return this.#list(Number(searchParams.get('after') ?? 0));
    if (part === 'blocks') return this.#append(JSON.parse(body) as StoredBlock);
    if (part !== 'removal') return { status: 404 };
    const { through } = JSON.parse(body) as { through: number };
    this.#blocks = this.#blocks.filter(({ position }) => position > through);
    return { body: { blocks: this.#blocks.length, bytes: 0 } };
  }

  #list(after: number): { body: unknown } {
    const all = this.#blocks.filter(({ position }) => position > after);
    return { body: { blocks: all.slice(0, PAGE_BLOCKS), more: all.length > PAGE_BLOCKS } };
  }

  #append({ writer, sequence, block }: StoredBlock): { status?: number; body: unknown } {
    const known = this.#blocks.find((one) => one.writer === writer && one.sequence === sequence);
    if (known && known.block !== block)
      return { status: 409, body: { error: { code: 'app-log-conflict', message: '' } } };
    if (known) return { body: { position: known.position } };
    this.#position += 1;
    this.#blocks.push({ position: this.#position, writer, sequence, block });
    return { body: { position: this.#position } };
  }
}
