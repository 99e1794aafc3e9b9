/** Performs the onboarding steps, finding elements by their visible text. */
import type { ElementHandle, Page } from 'puppeteer-core';
import { onboardingTexts as t, secretTexts, settingsTexts, texts } from '../../extension/ui/texts/texts.ts';
import type { WalletBrowser } from './browser.ts';
import { ask } from './wallet.ts';

/** Maximum number of attempts to click an element, because clicks can miss it. */
const MAX_CLICKS = 10;

const quoted = (text: string) => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Brings a page to the front and finds an element. Background pages aren't drawn and ignore clicks. */
async function visible(page: Page, xpath: string): Promise<ElementHandle> {
  await page.bringToFront();
  const found = await page.waitForSelector(`::-p-xpath(${xpath})`, { visible: true }).catch(async (cause: unknown) => {
    throw new Error(`${xpath} was not found. The page shows: ${await page.evaluate(() => document.body.innerText)}`, {
      cause,
    });
  });
  return found as ElementHandle;
}

/** Presses the button or link with the given text or accessible name. */
export async function press(page: Page, text: string): Promise<void> {
  const xpath = `//*[self::button or self::a][not(@disabled)][@aria-label=${quoted(text)} or .//text()[normalize-space(.)=${quoted(text)}]]`;
  // A click can miss the element if the layout shifts at that moment.
  for (let tries = 0; tries < MAX_CLICKS; tries += 1) if (await clickOnce(page, xpath)) return;
  throw new Error(`"${text}" can't be clicked: another element covers it`);
}

/** Clicks an element. @returns false if the click hit another element */
async function clickOnce(page: Page, xpath: string): Promise<boolean> {
  await visible(page, xpath);
  const seen = await page.evaluateHandle((path) => {
    const result = { isHit: false };
    document.addEventListener(
      'click',
      ({ target }) => {
        const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
        for (let i = 0; i < found.snapshotLength; i += 1)
          result.isHit ||= found.snapshotItem(i)?.contains(target as Node) ?? false;
      },
      { capture: true },
    );
    return result;
  }, xpath);
  // A newly shown page might render the element again. A locator retries until the element stays in place.
  await page.locator(`::-p-xpath(${xpath})`).click();
  // If the click opened another page or closed the window, it hit the element.
  return seen.evaluate(({ isHit }) => isHit).catch(() => true);
}

/** Replaces the content of the field with the given label. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = await visible(page, `//input[@id=//label[normalize-space(.)=${quoted(label)}]/@for]`);
  await field.focus();
  await field.evaluate((input) => (input as HTMLInputElement).select());
  await page.keyboard.press('Backspace');
  await field.type(text);
}

export async function sees(page: Page, text: string): Promise<void> {
  await page
    .waitForFunction((wanted) => document.body.innerText.includes(wanted), { polling: 20 }, text)
    .catch(async (cause: unknown) => {
      throw new Error(`"${text}" is not shown, but: ${await page.evaluate(() => document.body.innerText)}`, { cause });
    });
}

export async function choosePassword(page: Page, password: string, again = password): Promise<void> {
  await fill(page, texts.password, password);
  await fill(page, secretTexts.password.again, again);
  await press(page, t.continue);
}

/** Shows the recovery words. @returns the words */
export async function copyWords(page: Page): Promise<string> {
  await sees(page, t.words.title);
  await press(page, t.words.show);
  const words = await page.$$eval('.word-cells li', (cells) => cells.map((cell) => cell.lastChild?.textContent ?? ''));
  await press(page, t.words.written);
  return words.join(' ');
}

/** Confirms the recovery words, optionally with a wrong last answer, and continues. */
export async function checkWords(page: Page, words: string, right = true): Promise<void> {
  await sees(page, t.check.title);
  const all = words.split(' ');
  const places = await page.$$eval('fieldset legend', (legends) =>
    legends.map((legend) => Number(/\d+/.exec(legend.textContent ?? '')?.[0])),
  );
  for (const [i, place] of places.entries()) {
    const question = `//fieldset[.//legend[normalize-space(.)=${quoted(t.check.place({ n: place }))}]]`;
    const answer = quoted(all[place - 1] as string);
    const correct = right || i < places.length - 1;
    await (await visible(page, `${question}//button[normalize-space(.)${correct ? '=' : '!='}${answer}]`)).click();
  }
  await press(page, t.check.create);
}

/** Opens the onboarding, and sets the service. */
export async function openOnboarding(wallet: WalletBrowser, serviceUrl?: string): Promise<Page> {
  const page = await wallet.open('onboarding');
  if (serviceUrl !== undefined) await ask(page, 'settings/change', { serviceUrl });
  await page.bringToFront();
  await sees(page, t.start.title);
  return page;
}

/** Creates a new wallet and its account step by step, until the page shows that the wallet is ready. */
export async function createWalletByHand(
  wallet: WalletBrowser,
  options: { serviceUrl?: string; password: string; handle: string },
): Promise<{ words: string; page: Page }> {
  const page = await openOnboarding(wallet, options.serviceUrl);
  return { words: await passOnboarding(page, options), page };
}

/** Completes all steps for a new wallet with an account. @returns the wallet's recovery words */
export async function passOnboarding(page: Page, options: { password: string; handle: string }): Promise<string> {
  await press(page, t.start.create);
  await choosePassword(page, options.password);
  const words = await copyWords(page);
  await checkWords(page, words);
  await sees(page, t.account.title);
  await fill(page, texts.handle.label, options.handle);
  await sees(page, texts.handle.free({ handle: options.handle }));
  await press(page, texts.handle.register);
  await sees(page, t.done.title);
  return words;
}

/**
 * Completes the network step, which is shown if the default service doesn't respond. Chooses the devnet of the service
 * at this URL.
 */
export async function chooseDevnet(page: Page, publicUrl: string): Promise<void> {
  await sees(page, t.network.title);
  await page.click('input[value=devnet]');
  await fill(page, settingsTexts.addressesPage.arc, `${publicUrl}/devnet/arc`);
  await fill(page, settingsTexts.addressesPage.woc, `${publicUrl}/devnet/woc/v1/bsv/test/`);
  await press(page, t.network.choose);
}

/**
 * Restores a wallet in the onboarding page, up to the start of the search for its account. If the wallet's service is
 * down, `networkAt` is the URL of the service whose devnet to use.
 */
export async function restoreByHand(
  wallet: WalletBrowser,
  options: { serviceUrl?: string; networkAt?: string; password: string; words: string },
): Promise<Page> {
  const page = await openOnboarding(wallet, options.serviceUrl);
  await press(page, t.start.restore);
  await fill(page, t.restore.label, options.words);
  await press(page, t.restore.check);
  if (options.networkAt !== undefined) await chooseDevnet(page, options.networkAt);
  await sees(page, t.password.title);
  await choosePassword(page, options.password);
  return page;
}

export async function unlockByHand(popup: Page, password: string): Promise<void> {
  await sees(popup, texts.unlock.title);
  await fill(popup, texts.password, password);
  await press(popup, texts.unlock.button);
}
