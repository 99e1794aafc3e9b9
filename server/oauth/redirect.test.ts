import { expect, it } from 'vitest';
import { answerAddress } from './redirect.ts';

it.each([
  ['https://app.example/callback', 'https://app.example/callback?code=x'],
  ['https://app.example/callback?', 'https://app.example/callback?code=x'],
  ['https://app.example/callback?kept=1', 'https://app.example/callback?kept=1&code=x'],
  ['https://app.example/callback?kept=1&', 'https://app.example/callback?kept=1&code=x'],
])('an answer is added to %s as it is registered', (registered, address) => {
  expect(answerAddress(registered, { code: 'x', state: undefined })).toBe(address);
});
