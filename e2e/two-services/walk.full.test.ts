/** Runs the example of two services and three wallets with `--walk`, as its README describes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServices, type ExampleService } from './services.ts';
import { openShop, type Shop } from '../../examples/two-services/shop.ts';
import { walk, type Walk } from './walk.ts';
import { freePort } from '../../tooling/free-port.ts';

let one: ExampleService;
let two: ExampleService;
const shops: Shop[] = [];
const lines: string[] = [];
let walked: Walk;

beforeAll(async () => {
  const places = [
    { host: 'localhost', port: await freePort() },
    { host: '127.0.0.1', port: await freePort() },
  ] as const;
  [one, two] = await startServices(...places, 0);
  const open = async (service: ExampleService) => {
    const shop = await openShop(service, 0, () => {});
    shops.push(shop);
    return shop;
  };
  walked = await walk(await open(one), await open(two), (line) => lines.push(line));
});
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.close()));
  await Promise.all([one?.stop(), two?.stop()]);
});

/** Returns the data about a payer that a service reports to a shop. */
const payer = (userId: string | null, senderPaymail: string | null) => ({ payment: { userId, senderPaymail } });
const NOBODY = payer(null, null);
const ACCOUNT = "the service of the wallet's account";
const BUTTON = 'the service of the button';

test('a service names only payers with an account there, and every shop gets its webhook and can verify the payment', () => {
  const at = ({ url }: ExampleService) => new URL(url).host;
  // At each service, the operator is the first user, and Ann or Ben is the second.
  const second = String(Number(one.keeper.id) + 1);
  const expected = {
    annAtOne: { ...payer(second, `ann@${at(one)}`), records: [ACCOUNT] },
    ann: { ...NOBODY, records: [ACCOUNT, BUTTON] },
    ben: { ...payer(second, `ben@${at(two)}`), records: [ACCOUNT] },
    cay: { ...NOBODY, records: [BUTTON] },
  };
  for (const [who, { records, payment }] of Object.entries(expected)) {
    const bought = walked[who as keyof typeof expected];
    expect(bought.records, who).toEqual(records);
    for (const learned of [bought.verified, bought.received]) expect(learned, who).toMatchObject({ payment });
  }
});

test('the same user ID belongs to different users at two services, and the approval window names the user who is paid', () => {
  expect(one.keeper.id).toBe(two.keeper.id);
  expect(walked.annAtOne.window).toContain(one.keeper.paymail);
  for (const { window } of [walked.ann, walked.ben, walked.cay]) {
    expect(window).toContain(two.keeper.paymail);
    expect(window).not.toContain(one.keeper.paymail);
  }
});

test('a wallet without an account gets its money back, pays a paymail, and is restored from its words', () => {
  expect(lines.at(-1)).toContain(walked.before);
  expect(walked.restored).toBe(walked.before);
  // In satoshis: 2,000,000 from the faucet, 200,000 paid and refunded, 200,000 sent to Ann, and two fees.
  expect(Number(walked.before)).toBeGreaterThan(1_799_000);
  expect(Number(walked.before)).toBeLessThan(1_800_000);
});
