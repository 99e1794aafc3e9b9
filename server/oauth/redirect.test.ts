import { expect, it } from 'vitest';
import { redirectAddress } from './redirect.ts';

it.each([
  ['https://app.example/callback', 'https://app.example/callback?code=x'],
  ['https://app.example/callback?', 'https://app.example/callback?code=x'],
  ['https://app.example/callback?kept=1', 'https://app.example/callback?kept=1&code=x'],
  ['https://app.example/callback?kept=1&', 'https://app.example/callback?kept=1&code=x'],
])('a response’s parameters are added to %s as registered', (registered, address) => {
  expect(redirectAddress(registered, { code: 'x', state: undefined })).toBe(address);
});
