/** The service's storage for the log of applications' data, which can be made to lose or alter some of it. */
import type { Express } from 'express';
import type { StoredBlock } from '../../protocol/http/app-log.ts';

export class AppLogService {
  blocks: StoredBlock[] = [];
  position = 0;
  /** Maximum number of blocks that are accepted, and twice as many during a replacement. */
  most = Number.POSITIVE_INFINITY;
  /** The same in bytes. */
  mostBytes = Number.POSITIVE_INFINITY;
  /** Blocks of one response. */
  page = 3;
  /** Requests, by method and the path's end. */
  asked: string[] = [];
  shown: (blocks: StoredBlock[]) => StoredBlock[] = (blocks) => blocks;

  get bytes(): number {
    return this.blocks.reduce((sum, { block }) => sum + Math.floor((block.length * 3) / 4), 0);
  }

  reset(): void {
    Object.assign(this, new AppLogService());
  }

  serve(app: Express): void {
    const path = '/api/v2/me/app-log';
    app.post(`${path}/blocks`, (request, response) => {
      this.asked.push('append');
      const { writer, sequence, block, replaces } = request.body as StoredBlock & { replaces: boolean };
      const known = this.blocks.find((one) => one.writer === writer && one.sequence === sequence);
      if (known && known.block !== block)
        return response.status(409).json({ error: { code: 'app-log-conflict', message: '' } });
      if (known) return response.json({ position: known.position });
      const times = replaces ? 2 : 1;
      const bytes = this.bytes + Math.floor((block.length * 3) / 4);
      if (this.blocks.length >= times * this.most || bytes > times * this.mostBytes)
        return response.status(409).json({ error: { code: 'app-log-full', message: '' } });
      this.position += 1;
      this.blocks.push({ position: this.position, writer, sequence, block });
      return response.json({ position: this.position });
    });
    app.get(`${path}/blocks`, (request, response) => {
      this.asked.push('list');
      const all = this.shown(this.blocks).filter(({ position }) => position > Number(request.query.after));
      response.json({ blocks: all.slice(0, this.page), more: all.length > this.page });
    });
    app.post(`${path}/removal`, (request, response) => {
      this.asked.push('removal');
      const { through } = request.body as { through: number };
      this.blocks = this.blocks.filter(({ position }) => position > through);
      response.json({ blocks: this.blocks.length, bytes: 0 });
    });
  }
}
