import { describe, expect, it } from 'vitest';
import { eventTable } from '../../testing/event-table.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import {
  movePrompt,
  PROMPT_EVENTS,
  PROMPT_MOVES,
  stageOf,
  type PromptEvent,
  type PromptMove,
  type PromptStage,
} from './move.ts';
import type { Prompt } from './prompt.ts';

const stages = Object.keys(PROMPT_MOVES) as PromptStage[];
const ERROR = { code: 'page-gone', message: '' } as const;

const prompt = (stage: PromptStage): Prompt => ({
  kind: 'sign-in',
  origin: 'https://shop.example',
  message: 'a',
  createdAt: 1,
  state: stage === 'answered' || stage === 'ended' ? 'awaitingDecision' : stage,
  window: { id: 'window', windowId: null, shownAt: null },
  details: {},
  outcome: stage === 'answered' ? { answer: 'yes' } : stage === 'ended' ? { error: ERROR } : null,
});
const moves: Record<PromptEvent, PromptMove> = {
  prepare: { event: 'prepare' },
  show: { event: 'show' },
  answer: { event: 'answer', answer: 'yes' },
  end: { event: 'end', error: ERROR },
};

describe('the table of a prompt in docs/architecture/allowances.md', () => {
  const { events: rows, next } = eventTable('docs/architecture/allowances.md', stages);

  it('the table lists all events with their meanings', () => {
    expect(rows).toEqual(Object.entries(PROMPT_EVENTS));
  });

  it.each(stages)('the table shows the next state of a prompt that is %s', (stage) => {
    for (const [event, move] of Object.entries(moves)) {
      const [cell] = next(event, stage);
      const illegal = expect.objectContaining({ code: 'internal' });
      if (cell === undefined) expect(() => movePrompt(prompt(stage), move), event).toThrow(illegal);
      else expect(stageOf(movePrompt(prompt(stage), move)), event).toBe(cell);
    }
  });
});

describe('a stored prompt', () => {
  const store = useDatabase(() => import('./store.ts'));
  const key = { origin: 'https://shop.example', message: 'a' };
  const put = () => store.write((tx) => store.putPrompt(wallet, tx, 'sign-in', key, {}, 'preparing'));

  it('a stored prompt stays unchanged if an event is illegal', async () => {
    const before = await put();
    await expect(store.write((tx) => store.updatePrompt(tx, before, moves.answer))).rejects.toMatchObject({
      code: 'internal',
      detail: 'the event answer is illegal for a prompt that is preparing',
    });
    expect(await store.readPrompt(wallet, key)).toEqual(before);
  });

  it('a stored prompt is not replaced while it is open', async () => {
    const before = await put();
    await expect(put()).rejects.toMatchObject({ code: 'internal' });
    expect(await store.readPrompt(wallet, key)).toEqual(before);
    await store.write((tx) => store.updatePrompt(tx, before, moves.end));
    expect((await put()).outcome).toBe(null);
  });
});
