// @vitest-environment node
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPackage } from '../../scripts/build-package.ts';
import { makeConsumer, type Consumer } from './testing-consumer.ts';
import { documentedCode } from './testing-documents.ts';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

let consumer: Consumer;
let installed: string;

beforeAll(async () => {
  consumer = await makeConsumer();
  installed = join(consumer.directory, 'node_modules/service-button');
});
afterAll(() => consumer?.remove());

const read = (path: string) => readFile(join(installed, path), 'utf8');

test('the package can be published, without dependencies or sources, and with its licenses', async () => {
  const manifest = JSON.parse(await read('package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    name: 'service-button',
    type: 'module',
    license: 'MIT',
    sideEffects: ['./element.js', './chunks/*.js'],
  });
  for (const name of ['private', 'dependencies', 'scripts', 'devDependencies'])
    expect(manifest).not.toHaveProperty(name);
  expect(await read('LICENSE')).toMatch(/MIT License[^]*contains code of lean-qr[^]*David Evans/);
  const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ name }) => name);
  expect(files.filter((name) => !/\.(?:c?js|d\.c?ts)$|^(?:package\.json|README\.md|LICENSE)$/.test(name))).toEqual([]);
});

test('a second build is identical, byte for byte', async () => {
  const again = join(consumer.directory, 'again');
  await buildPackage(again);
  const files = await readdir(installed, { recursive: true });
  expect((await readdir(again, { recursive: true })).toSorted()).toEqual(files.toSorted());
  for (const file of files.filter((name) => name.includes('.') || name === 'LICENSE'))
    expect((await readFile(join(again, file))).equals(await readFile(join(installed, file))), file).toBe(true);
});

test('the module for servers is one self-contained file without dependencies', async () => {
  const code = await read('server.js');
  expect([...code.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];/gm)].map(([, name]) => name)).toEqual([
    'node:crypto',
  ]);
  expect(code).not.toMatch(/^[^*]*\bimport\(/m);
  expect(Buffer.byteLength(code)).toBeLessThan(83_000);
  await consumer.write(
    'shop.js',
    `
    import { createHmac } from 'node:crypto';
    import { verifyPayment, verifyWebhook, VerificationError } from 'service-button/server';
    const key = Buffer.alloc(32, 1);
    const body = JSON.stringify({ type: 'payment.received', timestamp: '', data: { payment: { id: '1', status: 'RECEIVED', txid: '', amount: '1', currency: 'BSV', satoshis: '1', rawtx: '', outputs: [] } } });
    const time = String(Math.floor(Date.now() / 1000));
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': 'v1,' + createHmac('sha256', key).update('msg_1.' + time + '.' + body).digest('base64') };
    const event = verifyWebhook(headers, body, 'whsec_' + key.toString('base64'));
    const problem = await verifyPayment({ apiUrl: 'http://127.0.0.1:1', accessToken: 'x', paymentId: '00000000-0000-4000-8000-000000000000', expect: { to: 'x', amount: '1', currency: 'BSV' } }).catch((error) => error instanceof VerificationError && error.code);
    console.log(JSON.stringify([event.payment.id, problem]));
  `,
  );
  expect(JSON.parse(consumer.run(process.execPath, 'shop.js'))).toEqual(['1', 'unavailable']);
});

test('the module for servers works for CommonJS, including in TypeScript', async () => {
  await consumer.write('cjs/package.json', JSON.stringify({ name: 'shop', private: true, type: 'commonjs' }));
  await consumer.write(
    'cjs/tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        module: 'node16',
        target: 'es2022',
        strict: true,
        skipLibCheck: false,
        types: ['node'],
        outDir: 'out',
      },
      files: ['shop.cts'],
    }),
  );
  await consumer.write(
    'cjs/shop.cts',
    `import { checkPayment, verifyPayment, verifyWebhook, VerificationError, type Payment } from 'service-button/server';
    export function typeOf(headers: Record<string, string>, body: string, secret: string): string {
      const event = verifyWebhook(headers, body, secret);
      const payment: Payment | null = event.payment;
      if (event.type === 'payment.received') checkPayment(event.payment, { to: 'a', amount: 0.1, currency: 'USD' });
      return payment === null ? 'ignored' : event.type;
    }
    void verifyPayment;
    try { typeOf({}, '{}', ''); } catch (error) { console.log(error instanceof TypeError, error instanceof VerificationError); }`,
  );
  consumer.run(process.execPath, TSC, '-p', 'cjs');
  expect(consumer.run(process.execPath, 'cjs/out/shop.cjs').trim()).toBe('true false');
});

test('only the component is marked for frameworks with server components', async () => {
  const marked = await Promise.all(
    ['index.js', 'element.js', 'react.js'].map(async (file) =>
      /^["']use client["'];/.test(await read(file)) ? file : '',
    ),
  );
  expect(marked.filter(Boolean)).toEqual(['react.js']);
});

test('parts not needed at first are separate modules', async () => {
  const [index, chunks] = [await read('index.js'), (await readdir(join(installed, 'chunks'))).join(' ')];
  expect(index).not.toContain('__vitePreload');
  const shared = await read(`chunks/${/browser[^ ]*\.js/.exec(chunks)?.[0]}`);
  expect(shared).toContain('import("../languages/de.js")');
  expect(shared).not.toContain('Zum Zahlen wischen');
  expect(shared).not.toContain('lean-qr');
});

test('a bundler keeps the parts that are imported only for their side effects', async () => {
  await consumer.write(
    'site.js',
    `import { serviceButton } from 'service-button'; serviceButton.render(document.body, { editable: true });`,
  );
  const outDir = join(consumer.directory, 'site');
  await build({
    root: consumer.directory,
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: { outDir, rollupOptions: { input: join(consumer.directory, 'site.js') } },
  });
  const assets = join(outDir, 'assets');
  const code = (await Promise.all((await readdir(assets)).map((file) => readFile(join(assets, file), 'utf8')))).join(
    '',
  );
  expect(code).toContain('Enter an amount, such as 0.50.');
  expect(code).toContain('Scan this code with a BSV wallet.');
  expect(code).toContain('Zum Zahlen wischen');
});

test('a server can import the whole package and render the component, and gets errors for browser-only functions', async () => {
  await consumer.write(
    'server.js',
    `
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    import { serviceButton } from 'service-button';
    import { ServiceButton } from 'service-button/react';
    import { defineServiceButton } from 'service-button/element';
    import { texts } from 'service-button/languages/de';
    defineServiceButton('other-button');
    let problem;
    try { serviceButton.render({}); } catch (error) { problem = error.message; }
    console.log(JSON.stringify({ html: renderToString(createElement(ServiceButton, { to: '1', amount: 1, onPayment() {} })), problem, text: texts.swipe.buy }));
  `,
  );
  expect(JSON.parse(consumer.run(process.execPath, 'server.js'))).toEqual({
    html: '<span class="service-button"></span>',
    problem: expect.stringContaining('needs a browser'),
    text: 'Zum Zahlen wischen',
  });
});

const PLAIN = `
  import { ConfigurationError, PaymentError, serviceButton, setServiceUrl, type ButtonHandle, type Payment, type Texts } from 'service-button';
  import { defineServiceButton, type ServiceButtonElement } from 'service-button/element';
  import { texts } from 'service-button/languages/de';
  import { verifyPayment, verifyWebhook, VerificationError, type VerificationCode } from 'service-button/server';

  void verifyPayment({ apiUrl: 'https://pay.example', clientIdentifier: 'c', clientSecret: 's', paymentId: '1', expect: { to: 'a', amount: '1', currency: 'USD', buttonId: 'order-1' } })
    .then(({ outputs }) => outputs[0]?.satoshis.length, (error: unknown) => { if (error instanceof VerificationError) { const code: VerificationCode = error.code; return code; } });
  // @ts-expect-error: by what may it be read?
  void verifyPayment({ apiUrl: 'https://pay.example', paymentId: '1', expect: { outputs: [] } });
  const event = verifyWebhook(new Headers(), new Uint8Array(), ['whsec_x']);
  if (event.type === 'payment.completed') void event.payment.buttonId;

  setServiceUrl('https://pay.example');
  const handle: ButtonHandle = serviceButton.render(document.createElement('div'), {
    to: 'a@b.example', amount: '1.00', outputs: [{ paymail: 'a@b.example', amount: 1, currency: 'USD' }],
    onPayment(payment) { const status: 'PENDING' | 'RECEIVED' | 'COMPLETED' | 'FAILED' = payment.status; return [status, payment.outputs[0]?.satoshis.length]; },
    onError: (error) => error.code === 'refused' && error instanceof PaymentError,
  });
  handle.update({ disabled: true });
  // @ts-expect-error: no such option
  handle.update({ ammount: '1' });
  // @ts-expect-error: no such code
  serviceButton.render(document.body, { onError: (error) => error.code === 'no such code' });
  window.serviceButton?.scan();

  const imb = new serviceButton.IMB({ clientIdentifier: 'c', suggestedAmount: { amount: 1, currency: 'USD' } });
  const paid: Promise<Payment | null> = imb.swipe({ to: '1', amount: 1, currency: 'USD' }).then(({ payment }) => payment);
  void paid.catch((error: unknown) => error instanceof ConfigurationError && error.reason === 'missing-amount');

  const german: Texts = texts;
  serviceButton.provide('de', german);

  defineServiceButton();
  const element: ServiceButtonElement = document.createElement('service-button');
  element.amount = 5;
  element.onPayment = (payment) => payment.txid;
  element.addEventListener('payment', (event) => event.detail.txid.toUpperCase());
  element.addEventListener('payment-error', (event) => event.detail.code);
  element.addEventListener('click', (event) => event.clientX);
  // @ts-expect-error: a payment has no such field
  element.addEventListener('payment', (event) => event.detail.transaction);
`;
const REACT = `
  import { useRef } from 'react';
  import { ServiceButton, type ServiceButtonProps } from 'service-button/react';

  export function Page(props: Pick<ServiceButtonProps, 'amount'>) {
    const ref = useRef<HTMLElement>(null);
    return <>
      <ServiceButton ref={ref} to="1" currency="USD" {...props} className="full" style={{ width: 300 }} data-test="1" onPayment={({ txid }) => txid} onError={(error) => error.code} />
      {/* @ts-expect-error: a name of a global function is for attributes */}
      <ServiceButton onPayment="paid" />
      {/* @ts-expect-error: it has nothing in it */}
      <ServiceButton>Pay</ServiceButton>
    </>;
  }
`;

test.each([
  ['ESNext', 'Bundler'],
  ['NodeNext', 'NodeNext'],
])(
  'the package’s types compile in a strict project (%s, %s), without skipping libraries',
  async (module, moduleResolution) => {
    await consumer.write('plain.ts', PLAIN);
    await consumer.write('page.tsx', REACT);
    await consumer.write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          skipLibCheck: false,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          noEmit: true,
          types: [],
          target: 'ES2022',
          lib: ['ES2022', 'DOM', 'DOM.Iterable'],
          jsx: 'react-jsx',
          module,
          moduleResolution,
        },
        files: ['plain.ts', 'page.tsx'],
      }),
    );
    expect(() => consumer.run(process.execPath, TSC, '-p', '.')).not.toThrow();
  },
);

/** Declarations of names that code blocks in the documents use without declaring them. */
const GIVEN = `
  declare const serviceButton: typeof import('service-button').serviceButton;
  declare const verifyPayment: typeof import('service-button/server').verifyPayment;
  declare const verifyWebhook: typeof import('service-button/server').verifyWebhook;
  declare const checkPayment: typeof import('service-button/server').checkPayment;
  declare const request: import('node:http').IncomingMessage;
  declare const rawBody: Uint8Array;
  declare const place: HTMLElement, element: HTMLElement;
  declare const to: string, clientIdentifier: string, clientSecret: string, amount: string, currency: string, order: string, paymentId: string, address: string;
  declare function unlock(paymentId: string): void;
  declare function send(value: string | null): void;
  declare function sendToMyServer(...values: unknown[]): void;
  declare function setProblem(code: string): void;
`;
/** Modules that belong to the reader's project or to a different code block. */
const GIVEN_MODULES = {
  'receive.d.ts': `export function receive(headers: object, rawBody: string | Uint8Array): Promise<number>;`,
  'orders.d.ts': `
    export function findOrder(id: string | null): Promise<{ id: string; to: string; amount: string } | null>;
    export function markPaid(id: string, txid: string): Promise<void>;
    export function markUnpaid(id: string | null, txid: string): Promise<void>;`,
};

test('every block of code in the documents compiles unchanged in a strict project', async () => {
  const all = await documentedCode();
  expect(all.length).toBeGreaterThan(15);
  await consumer.write('documents/given.d.ts', GIVEN);
  for (const [name, code] of Object.entries(GIVEN_MODULES)) await consumer.write(`documents/${name}`, code);
  for (const { file, code } of all) await consumer.write(file, code);
  const shared = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ['node'],
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    jsx: 'react-jsx',
    module: 'ESNext',
    moduleResolution: 'Bundler',
  };
  // Scripts in HTML are checked separately, because they have no parameter types.
  await consumer.write(
    'documents/tsconfig.json',
    JSON.stringify({ compilerOptions: { ...shared, skipLibCheck: true }, include: ['*.ts', '*.tsx'] }),
  );
  await consumer.write(
    'documents/pages.json',
    JSON.stringify({
      compilerOptions: { ...shared, skipLibCheck: true, allowJs: true, checkJs: true, noImplicitAny: false },
      include: ['*.js', 'given.d.ts'],
    }),
  );
  expect(() => consumer.run(process.execPath, TSC, '-p', 'documents')).not.toThrow();
  expect(() => consumer.run(process.execPath, TSC, '-p', 'documents/pages.json')).not.toThrow();
});
