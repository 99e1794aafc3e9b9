/**
 * Measures the buttons' cost for their page: the time to render many buttons, compared with as many plain range inputs
 * in shadow roots, and their layout shift.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Page } from 'puppeteer-core';
import type { Row } from './row.ts';

const COUNT = 1000;
const ROUNDS = 7;
const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

const PAGE = `<!doctype html><meta charset="utf-8"><title>bench</title><script src="/button.js"></script><main></main>`;
const ONE_BUTTON =
  '<div class="service-button" data-to="mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb" data-amount="0.10" data-label="Read on"></div>';
/** A page in which a layout shift would move paragraphs. */
const STILL_PAGE = `${PAGE}${`<p>Some text.</p>${ONE_BUTTON}`.repeat(20)}<p>The end.</p>`;

interface Round {
  buttons: number;
  inputs: number;
}

/** Renders both kinds alternately so that neither benefits from a warm-up by the other. */
function drawBoth(count: number, rounds: number): Promise<Round[]> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const main = document.querySelector('main')!;
  const measured: Round[] = [];
  const time = (draw: (host: HTMLElement) => void): number => {
    const hosts = Array.from({ length: count }, () => document.createElement('div'));
    main.replaceChildren(...hosts);
    void main.offsetHeight;
    const start = performance.now();
    hosts.forEach(draw);
    void main.offsetHeight;
    return performance.now() - start;
  };
  const input = (host: HTMLElement) => {
    const range = document.createElement('input');
    range.type = 'range';
    host.attachShadow({ mode: 'open' }).append(range);
  };
  const button = (host: HTMLElement) => {
    window.serviceButton!.render(host, { to: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', amount: '0.10', label: 'Read on' });
  };
  const round = async (left: number): Promise<Round[]> => {
    if (left === 0) return measured;
    measured.push({ inputs: time(input), buttons: time(button) });
    await nextFrame();
    return round(left - 1);
  };
  return round(rounds);
}

/** Returns the sum of layout shifts (Layout Instability API) after each button has become `ready` or `no-wallet`. */
async function layoutShift(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/still`);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.service-button')].every((host) =>
      /no-wallet|ready/.test((host as HTMLElement).dataset.state ?? ''),
    ),
  );
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
      }),
  );
}

export async function rendering(): Promise<Row[]> {
  const server = createServer((request, response) => {
    const script = request.url === '/button.js';
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ? readFileSync('dist/button.js') : request.url === '/still' ? STILL_PAGE : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROME_PATH!,
    headless: true,
    pipe: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  });
  try {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument('globalThis.__name = (value) => value'); // tsx wraps named functions in this helper
    await page.goto(url);
    const rounds = (await page.evaluate(drawBoth, COUNT, ROUNDS)).slice(1); // the first round warms up
    const [buttons, inputs] = [
      median(rounds.map((round) => round.buttons)),
      median(rounds.map((round) => round.inputs)),
    ];
    const shift = await layoutShift(page, url);
    return [
      {
        what: '1,000 buttons against 1,000 range inputs',
        measured: `${buttons.toFixed(0)} ms against ${inputs.toFixed(0)} ms`,
        ratio: buttons / inputs,
        goal: '≤ 2',
        holds: buttons / inputs <= 2,
      },
      {
        what: 'layout shift after first paint',
        measured: `${shift.toFixed(4)} over 20 buttons`,
        ratio: shift,
        goal: '0',
        holds: shift === 0,
      },
    ];
  } finally {
    await browser.close();
    server.close();
  }
}
