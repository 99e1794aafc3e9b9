/** Mock storage for the log of applications' data, which can be made to lose or alter blocks. */
import type { StoredBlock } from '../../protocol/http/app-log.ts';
import type { Said } from './service.ts';

const PATH = '/api/v2/me/app-log/';

export class AppLogService {
  blocks: StoredBlock[] = [];
  position = 0;
  /** Maximum number of stored blocks, doubled while the log is being replaced. */
  most = Number.POSITIVE_INFINITY;
  /** Maximum size of all blocks (bytes), doubled while the log is being replaced. */
  mostBytes = Number.POSITIVE_INFINITY;
  /** Maximum number of blocks per response. */
  page = 3;
  /** The operations requested so far. */
  asked: string[] = [];
  shown: (blocks: StoredBlock[]) => StoredBlock[] = (blocks) => blocks;

  get bytes(): number {
    return this.blocks.reduce((sum, { block }) => sum + Math.floor((block.length * 3) / 4), 0);
  }

  reset(): void {
    Object.assign(this, new AppLogService());
  }

  /** Handles a request. @returns null if the URL isn't part of the log's API */
  answer(method: string, url: string, body: string): Said | null {
    if (!url.startsWith(PATH)) return null;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const part = pathname.slice(PATH.length);
    if (part === 'blocks' && method === 'GET') return this.#list(Number(searchParams.get('after') ?? 0));
    if (part === 'blocks') return this.#append(JSON.parse(body) as StoredBlock & { replaces: boolean });
    if (part !== 'removal') return { status: 404 };
    this.asked.push('removal');
    const { through } = JSON.parse(body) as { through: number };
    this.blocks = this.blocks.filter(({ position }) => position > through);
    return { body: { blocks: this.blocks.length, bytes: 0 } };
  }

  #list(after: number): Said {
    this.asked.push('list');
    const all = this.shown(this.blocks).filter(({ position }) => position > after);
    return { body: { blocks: all.slice(0, this.page), more: all.length > this.page } };
  }

  #append({ writer, sequence, block, replaces }: StoredBlock & { replaces: boolean }): Said {
    this.asked.push('append');
    const known = this.blocks.find((one) => one.writer === writer && one.sequence === sequence);
    if (known && known.block !== block) return conflict('app-log-conflict');
    if (known) return { body: { position: known.position } };
    const times = replaces ? 2 : 1;
    const bytes = this.bytes + Math.floor((block.length * 3) / 4);
    if (this.blocks.length >= times * this.most || bytes > times * this.mostBytes) return conflict('app-log-full');
    this.position += 1;
    this.blocks.push({ position: this.position, writer, sequence, block });
    return { body: { position: this.position } };
  }
}

const conflict = (code: string): Said => ({ status: 409, body: { error: { code, message: '' } } });
