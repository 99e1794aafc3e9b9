/**
 * Script for /sign-in: requests a challenge from the server and its signature from the wallet (assets/ask-wallet.js),
 * submits the signature, and continues. Text is inserted as text nodes, never as HTML.
 */
(() => {
  'use strict';

  /**
   * Time without a response after which the page assumes that there is no wallet (ms). Later responses are still
   * accepted.
   */
  const HELLO_WAIT = 600;
  /** Debounce time for the handle check (ms). */
  const TYPING_WAIT = 300;
  const HANDLE = /^(?=.{3,30}$)(?=.*[a-z])[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

  const page = document.getElementById('sign-in');
  if (!page) return;
  /** Text in the page's language. */
  const texts = JSON.parse(page.dataset.texts);
  const byId = (id) => document.getElementById(id);
  const registers = page.dataset.landing === 'register';
  const form = byId(registers ? 'register' : 'login');
  const button = form.querySelector('button');
  const buttonText = button.textContent;
  const waiting = byId('waiting');

  function element(name, className, ...children) {
    const made = document.createElement(name);
    made.className = className;
    made.append(...children);
    return made;
  }

  /** Shows the part of the page for a state. Tests and styles rely only on the attribute. */
  function show(state) {
    page.dataset.state = state;
    byId('looking').hidden = state !== 'looking';
    byId('no-wallet').hidden = state !== 'no-wallet';
    form.hidden = state === 'looking' || state === 'no-wallet';
    const busy = state === 'working' || state === 'done';
    button.setAttribute('aria-busy', String(busy));
    button.textContent = state === 'working' ? texts.checkWallet : state === 'done' ? texts.moment : buttonText;
    waiting.textContent = state === 'working' ? texts.decide : state === 'done' ? texts.done : '';
  }

  /** Shows an error message, with an optional link to the next step. */
  function complain(code, title, text, link) {
    const children = [element('p', 'banner-title', title), element('p', '', text)];
    if (link) {
      const anchor = element('a', 'link', link.text);
      anchor.href = link.href;
      children.push(element('p', '', anchor));
    }
    const note = element('div', `banner banner-${code === 'sign-in-refused' ? 'warning' : 'danger'}`, ...children);
    note.dataset.code = code;
    byId('message').replaceChildren(note);
  }

  const failure = (code, message) => Object.assign(new Error(message), { code });

  // ---- The wallet
  const askWallet = globalThis.askServiceWallet(window, location, found);

  function found() {
    if (page.dataset.state !== 'looking' && page.dataset.state !== 'no-wallet') return;
    show('ready');
  }

  /**
   * Reloads the page when the user returns to it without a wallet, because Chrome doesn't inject the relay into pages
   * that were open before the wallet was installed.
   */
  function lookAgain() {
    if (document.visibilityState === 'visible' && page.dataset.state === 'no-wallet') location.reload();
  }

  // ---- The server
  async function api(path, body) {
    let response;
    try {
      response = await fetch(
        path,
        body === undefined
          ? {}
          : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
      );
    } catch {
      throw failure('service-unavailable', '');
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    throw failure(answer?.error?.code ?? 'service-unavailable', answer?.error?.message ?? '');
  }

  /** Requests a challenge, asks the wallet to sign it, and signs in or registers. */
  async function signIn(register) {
    const { nonce, issuedAt, expiresAt } = await api('/api/v2/sign-in/challenges', {});
    const { publicKey, signature, receivingXpub } = await askWallet('identity/sign-in', {
      nonce,
      issuedAt,
      expiresAt,
      register,
    });
    if (register) await api('/api/v2/users', { publicKey, nonce, signature, register: { ...register, receivingXpub } });
    else await api('/api/v2/sign-in', { publicKey, nonce, signature });
  }

  /** Returns this page's URL for the other purpose (signing in or registering), with the same return path. */
  function otherHref() {
    return `/sign-in?${new URLSearchParams({ ...(registers ? {} : { landing: 'register' }), return: page.dataset.return })}`;
  }

  async function submit(register) {
    if (page.dataset.state !== 'ready') return;
    byId('message').replaceChildren();
    show('working');
    try {
      await signIn(register);
    } catch (error) {
      show('ready');
      explain(error.code, error.message);
      return;
    }
    show('done');
    // The server has already validated the path. It is checked again before use.
    const target = new URL(page.dataset.return, location.origin);
    location.replace(target.origin === location.origin ? target.href : '/');
  }

  function explain(code, message) {
    if (code === 'handle-taken') byId('handle').setAttribute('aria-invalid', 'true');
    const [title, text] = Object.hasOwn(texts.problems, code)
      ? texts.problems[code]
      : [texts.failed, `${message} ${texts.again}`.trim()];
    const onward = { 'unknown-account': texts.createAccount, 'key-taken': texts.signInWithIt }[code];
    complain(code, title, text, onward && { text: onward, href: otherHref() });
  }

  // ---- The registration form
  let typing = 0;

  function tellHandle(hint, error) {
    byId('handle-hint').replaceChildren(...[hint].flat());
    byId('handle-error').textContent = error;
    if (error) byId('handle').setAttribute('aria-invalid', 'true');
    else byId('handle').removeAttribute('aria-invalid');
  }

  /** Checks a handle once typing pauses. Drops responses for outdated input. */
  async function checkHandle(input) {
    const handle = input.value.trim().toLowerCase();
    typing += 1;
    const mine = typing;
    const isForm = HANDLE.test(handle);
    tellHandle(isForm ? texts.checking : texts.handleHint, '');
    if (handle === '') return;
    // A partly typed handle isn't an error yet, so its message is delayed.
    await new Promise((resolve) => setTimeout(resolve, isForm ? TYPING_WAIT : 3 * TYPING_WAIT));
    if (mine !== typing) return;
    if (!isForm) return tellHandle(texts.handleHint, texts.badHandle);
    const answer = await api(`/api/v2/handles/${encodeURIComponent(handle)}`).catch(() => null);
    if (mine !== typing) return;
    if (answer === null) return tellHandle(texts.unsure, '');
    if (!answer.available) return tellHandle(texts.handleHint, texts.taken);
    tellHandle(
      [
        element('strong', 'good', texts.free.replace('{handle}', handle)),
        ` ${texts.paymail.replace('{paymail}', `${handle}@${input.dataset.domain}`)}`,
      ],
      '',
    );
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!registers) return submit(null);
    const handle = byId('handle').value.trim().toLowerCase();
    if (!HANDLE.test(handle)) {
      typing += 1;
      tellHandle(texts.handleHint, texts.badHandle);
      return byId('handle').focus();
    }
    return submit({ handle, name: byId('name').value.trim() });
  });
  if (registers)
    byId('handle').addEventListener('input', ({ currentTarget }) => {
      byId('message').replaceChildren();
      void checkHandle(currentTarget);
    });

  document.addEventListener('visibilitychange', lookAgain);
  window.addEventListener('focus', lookAgain);
  // A page restored from the back/forward cache might show an outdated session.
  window.addEventListener('pageshow', (event) => event.persisted && location.reload());

  setTimeout(() => page.dataset.state === 'looking' && show('no-wallet'), HELLO_WAIT);
  askWallet('wallet/hello', {}).then(found, found);
})();
