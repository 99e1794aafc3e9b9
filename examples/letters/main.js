/**
 * The writer's wallet signs and encrypts letters, and the reader's wallet decrypts them. These are crypto operations
 * without a payment.
 */
/* global serviceButton */
const find = (id) => document.getElementById(id);
const say = (text) => (find('who').textContent = text);
const onError = (error) => say(error.message);

/** Renders the writer's button. Only the wallet receives the plaintext. Calling `render` again updates the button. */
function write() {
  const [to, letter] = [find('to').value.trim(), find('letter').value];
  serviceButton.render(find('seal'), {
    label: 'Sign and seal it',
    successMessage: 'Sealed',
    disabled: to === '' || letter === '',
    cryptoOperations: [
      { name: 'signature', method: 'sign', data: letter },
      { name: 'sealed', method: 'encrypt', data: letter, paymail: to },
    ],
    onCryptoOperations([signature, sealed]) {
      find('sealed').value = JSON.stringify({
        from: signature.paymail,
        signature: signature.value,
        sealed: sealed.value,
      });
    },
    onError,
  });
}

/**
 * Renders the reader's buttons, which decrypt the letter and then verify its signature. To verify the signature, the
 * wallet requests the writer's public key from their paymail host.
 */
function read() {
  const { from, signature, sealed } = parsed(find('got').value);
  const opened = (letter) => {
    find('text').textContent = letter;
    serviceButton.render(find('check'), {
      label: 'Check the signature',
      successMessage: 'Checked',
      disabled: letter === '',
      cryptoOperations: [{ name: 'check', method: 'verify', data: letter, signature, paymail: from }],
      onCryptoOperations: ([{ verified }]) => say(verified ? `Written by ${from}.` : `Not written by ${from}!`),
      onError,
    });
  };
  say('');
  opened('');
  serviceButton.render(find('open'), {
    label: 'Open it',
    successMessage: 'Opened',
    disabled: !sealed,
    cryptoOperations: [{ name: 'letter', method: 'decrypt', data: sealed, dataEncoding: 'hex', valueEncoding: 'utf8' }],
    onCryptoOperations: ([letter]) => opened(letter.value),
    onError,
  });
}

/** Parses the received letter. Returns an empty object if the letter is malformed. */
function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

for (const id of ['to', 'letter']) find(id).addEventListener('input', write);
find('got').addEventListener('input', read);
write();
read();
