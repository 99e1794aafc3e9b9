/** The states of a prompt, and the events that change them. */
import { ServiceError, type WireError } from '../../protocol/errors/service-error.ts';
import type { Prompt, PromptState } from './prompt.ts';

/** A prompt's state, or its outcome: `answered`, or `ended` without an answer. */
export type PromptStage = PromptState | 'answered' | 'ended';

/** Events that change a prompt's state, with their meanings. */
export const PROMPT_EVENTS = {
  prepare: 'the contents of its window are ready',
  show: 'it needs the user’s decision after all',
  answer: 'the user approves it, or fulfills its request in another way',
  end: 'it is rejected, withdrawn, or can’t be shown',
} as const;
export type PromptEvent = keyof typeof PROMPT_EVENTS;

/** The next state for each state and event. Events without an entry are illegal in that state. */
export const PROMPT_MOVES: Record<PromptStage, { readonly [event in PromptEvent]?: PromptStage }> = {
  withheld: { show: 'awaitingDecision', end: 'ended' },
  preparing: { prepare: 'awaitingDecision', end: 'ended' },
  awaitingDecision: { answer: 'answered', end: 'ended' },
  answered: {},
  ended: {},
};

export const stageOf = ({ state, outcome }: Prompt): PromptStage =>
  outcome === null ? state : 'answer' in outcome ? 'answered' : 'ended';

export type PromptMove<Answer = unknown> =
  | { event: 'prepare' | 'show' }
  | { event: 'answer'; answer: Answer }
  | { event: 'end'; error: WireError };

/** Changes to a prompt. Only an event changes its state or sets its outcome. */
export type PromptChange<Details = unknown, Answer = unknown> = Partial<
  Pick<Prompt<Details, Answer>, 'window' | 'details'>
> &
  (PromptMove<Answer> | { event?: never });

/**
 * Returns the prompt after a change. Pure. No other function changes a prompt's state.
 * @throws ServiceError `internal` if the event is illegal in the prompt's state
 */
export function movePrompt(prompt: Prompt, change: PromptChange): Prompt {
  const { window = prompt.window, details = prompt.details } = change;
  const changed: Prompt = { ...prompt, window, details };
  if (change.event === undefined) return changed;
  const stage = stageOf(prompt);
  if (PROMPT_MOVES[stage][change.event] === undefined)
    throw new ServiceError('internal', {
      detail: `the event ${change.event} is illegal for a prompt that is ${stage}`,
    });
  if (change.event === 'answer') return { ...changed, outcome: { answer: change.answer } };
  if (change.event === 'end') return { ...changed, outcome: { error: change.error } };
  return { ...changed, state: 'awaitingDecision' };
}
