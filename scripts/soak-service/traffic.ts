/** Simulates users and applications, and records acknowledged writes. A missing response proves nothing. */
import { basic, newCode, redemption, type TestUser } from '../../server/oauth/testing.ts';
import { createTestReport } from '../../server/payment-reports/testing-report.ts';
import type { TestApp, TestApplication } from '../../server/testing.ts';
import type { Acknowledged } from './acknowledged.ts';
import { createClient, FORM, type ServiceResponse, type Client } from './client.ts';
import { cookieOf, newPerson, type Person } from './person.ts';

export interface World {
  notes: Acknowledged;
  urls: readonly string[];
  /** The origin for which the instances are configured. */
  baseUrl: string;
  /** Marks this transaction as mined in the simulated network. */
  mine(txid: string): void;
  webhookUrl: string;
  goesOn(): boolean;
}

const REDIRECT_URI = 'https://app.example/callback';

/** Simulates a user with an application and two devices, who performs one action after another until time is up. */
export async function work(world: World, number: number): Promise<void> {
  const { notes } = world;
  const client = createClient(notes, world.urls, number);
  const person = await newPerson(notes, client, `soak${number}`);
  const details = { name: 'Soak', url: 'https://app.example', redirectUri: REDIRECT_URI, webhookUrl: world.webhookUrl };
  const made = await client.insist('POST', '/api/v2/me/applications', person.own, JSON.stringify(details));
  if (!client.expectStatus('application', made, 201)) return;
  const application = made.body.application as TestApplication;
  const cookie = await cookieOf(person, client, world.baseUrl);
  const actions = [
    () => pay(world, client, person, application),
    () => issue(world, client, application),
    () => revoke(world, client, application),
    () => redeem(world, client, { ...person, cookie }, application),
  ];
  const act = async () => {
    for (let round = 0; world.goesOn(); round += 1) await actions[round % actions.length]?.();
  };
  const devices = [0, 1].map((device) =>
    rename(world, createClient(notes, world.urls, number + device), person, device),
  );
  await Promise.all([act(), ...devices]);
}

/** Reports a payment until it is acknowledged, as a wallet does. */
async function pay(world: World, client: Client, { id, own, wallet }: Person, application: TestApplication) {
  const { report, txid } = createTestReport([1_000n], wallet.publicKey);
  world.mine(txid);
  const body = JSON.stringify({ ...report, clientIdentifier: application.clientIdentifier });
  const answer = await client.insist('POST', '/api/v2/payments', own, body);
  if (client.expectStatus('payment', answer, 200, 201)) world.notes.payments.set(report.id, id);
}

/** Alternately writes and reads the user's name. */
async function rename({ notes, goesOn }: World, client: Client, { id, own }: Person, device: number): Promise<void> {
  const history = notes.names.get(id) ?? [];
  notes.names.set(id, history);
  for (let round = 0; goesOn(); round += 1) {
    const sent = performance.now();
    if (round % 2 === device) {
      const value = `Name ${device}.${round}`;
      const answer = await client.ask('PATCH', '/api/v2/me', own, JSON.stringify({ name: value }));
      if (answer && !client.expectStatus('name', answer, 200)) continue;
      history.push({ kind: 'write', value, sent, answered: answer ? performance.now() : Infinity });
    } else {
      const answer = await client.ask('GET', '/api/v2/me', own);
      if (!answer || !client.expectStatus('a name', answer, 200)) continue;
      history.push({ kind: 'read', value: answer.body.user.name, sent, answered: performance.now() });
    }
  }
}

const credentials = ({ clientIdentifier, clientSecret }: TestApplication) => ({
  ...basic(clientIdentifier, clientSecret),
  ...FORM,
});

/** Requests a token, and uses it on the next instance. Returns null if a response is missing. */
async function issue({ notes }: World, client: Client, application: TestApplication): Promise<string | null> {
  const body = 'grant_type=client_credentials&scope=application_access%3Awrite';
  const answer = await client.ask('POST', '/oauth/v1/token', credentials(application), body);
  if (!answer || !client.expectStatus('token', answer, 200)) return null;
  const token = answer.body.access_token as string;
  notes.tokens.add(token);
  client.expectStatus('a new token elsewhere', await use(client, token), 200);
  return token;
}

const use = (client: Client, token: string): Promise<ServiceResponse> =>
  client.insist('GET', '/api/v2/payments?limit=1', { Authorization: `Bearer ${token}` });

/** Revokes a token, and checks that this takes effect immediately on every instance. */
async function revoke(world: World, client: Client, application: TestApplication): Promise<void> {
  const token = await issue(world, client, application);
  if (token === null) return;
  world.notes.tokens.delete(token);
  const body = new URLSearchParams({ token }).toString();
  const answer = await client.insist('POST', '/oauth/v1/revoke', credentials(application), body);
  if (!client.expectStatus('revocation', answer, 200)) return;
  world.notes.revoked.add(token);
  for (let turn = 0; turn < world.urls.length; turn += 1)
    client.expectStatus('a revoked token', await use(client, token), 401);
}

/** Redeems an authorization code in three concurrent requests. Exactly one must get tokens. */
async function redeem(world: World, client: Client, user: TestUser, application: TestApplication): Promise<void> {
  const { notes, urls, baseUrl } = world;
  const url = urls[notes.redeemed % urls.length] ?? '';
  const code = await newCode({ url, baseUrl } as TestApp, application, user).catch(() => null);
  if (code === null) return; // connection lost
  const fields = Object.entries(redemption(application, code)) as [string, string][];
  const headers = { ...basic(application.oauthIdentifier, application.clientSecret), ...FORM };
  const body = new URLSearchParams(fields).toString();
  const answers = await Promise.all([1, 2, 3].map(() => client.ask('POST', '/oauth/v1/token', headers, body)));
  const given = answers.filter((answer) => answer?.status === 200).length;
  for (const answer of answers) if (answer) client.expectStatus('redemption', answer, 200, 400);
  if (given > 1) notes.faults.push(`a code was redeemed ${given} times`);
  if (given === 0 && !answers.includes(null)) notes.faults.push('a code was redeemed by none of three requests');
  if (given === 1) notes.redeemed += 1;
}

/** Simulates users who create as many applications as allowed, concurrently on ten devices. */
export async function hoard(world: World): Promise<void> {
  for (let number = 0; number === 0 || world.goesOn(); number += 1) await fill(world, `hoarder${number}`);
}

async function fill({ notes, urls }: World, handle: string): Promise<void> {
  const client = createClient(notes, urls, 0);
  const { id, own } = await newPerson(notes, client, handle);
  const made = new Map<string, string>();
  notes.hoards.set(id, made);
  const body = JSON.stringify({ name: 'One of many', url: 'https://app.example' });
  const make = async (device: number) => {
    for (let round = 0; ; round += 1) {
      const key = `application-${device}-${String(round).padStart(4, '0')}`;
      // The key is reused until there is a response, so a lost response doesn't create a second application.
      const answer = await client.insist('POST', '/api/v2/me/applications', { ...own, 'Idempotency-Key': key }, body);
      if (answer.body.error?.code === 'too-many-applications') return;
      if (answer.body.error?.code === 'request-under-way') round -= 1;
      else if (client.expectStatus('an application', answer, 201))
        made.set(key, answer.body.application.clientIdentifier);
      else return;
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, device) => make(device)));
}
