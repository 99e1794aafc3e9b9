import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import { LookAlikeNote } from './look-alike-note.tsx';

afterEach(cleanup);

test.each([
  [
    'аda@example.com',
    'warning',
    'This name mixes letters from several alphabets: Cyrillic, Latin. It may be imitating a name you know.In plain letters: <U+0430>da@example.com',
  ],
  [
    'асе@example.com',
    'warning',
    'This name uses letters from another alphabet: Cyrillic. It may be imitating a name you know.In plain letters: <U+0430><U+0441><U+0435>@example.com',
  ],
  [
    'ꔀ@example.com',
    'warning',
    'This name uses letters from another alphabet: a rare one. It may be imitating a name you know.In plain letters: <U+A500>@example.com',
  ],
  [
    'ada@bücher.de',
    'warning',
    'This name uses letters other than a to z. It may be imitating a name you know.In plain letters: ada@xn--bcher-kva.de',
  ],
  ['ada@xn--bcher-kva.de', 'warning', 'This name uses letters other than a to z. It may be imitating a name you know.'],
  [
    'a\u200Bda@example.com',
    'danger',
    'This name contains invisible characters. It may be imitating a name you know.In plain letters: a<U+200B>da@example.com',
  ],
])('%s causes a %s, with its form in plain letters', (name, tone, said) => {
  render(<LookAlikeNote name={name} />);
  expect(document.querySelector(`.banner-${tone}`)?.textContent).toBe(said);
});

test('a name of plain letters has no note', () => {
  const { container } = render(<LookAlikeNote name="ada.l-1_x+y@pay.example.com:8443" />);
  expect(container.textContent).toBe('');
});
