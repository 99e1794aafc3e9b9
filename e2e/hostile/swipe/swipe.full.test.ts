/** Tests the remaining attacks on one-swipe payments, with a legitimate swipe in each group. */
import { describe, test } from 'vitest';
import { attack, checkNoticesPayment } from './arena.ts';
import { disguises } from './disguises.ts';
import { moreDocuments } from './documents.ts';
import { moreFloods } from './floods.ts';
import { hands } from './hands.ts';
import { hangs } from './hangs.ts';
import { movements } from './movements.ts';
import { overlays } from './overlays.ts';
import { moreLooks, morePrivacy } from './privacy.ts';
import { useArena } from './stage.ts';
import { throttled } from './throttled.ts';
import { moreTickets } from './tickets.ts';

const { arena, otherExtension } = useArena();

describe.each([
  ['overlays', overlays],
  ['movements', movements],
  ['hands', hands],
  ['hangs', hangs],
  ['throttled', throttled],
])('%s', (_, attacks) => {
  test('an honest swipe pays, and the check after each attack detects that', () => checkNoticesPayment(arena()));

  test.each(attacks.filter(({ quick }) => !quick))('nothing is paid after the attack: $name', async (one) => {
    await attack(arena(), one);
    await arena().expectNothing();
  });
});
describe('disguises', () => disguises(arena));
describe('documents', () => moreDocuments(arena, otherExtension));
describe('privacy', () => morePrivacy(arena));
describe('legibility of the frame', () => moreLooks(arena));
describe('floods', () => moreFloods(arena));
describe('tickets', () => moreTickets(arena));
