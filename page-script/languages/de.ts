/** The texts in German. Instructions are in the infinitive, so that nobody has to be addressed as `du` or `Sie`. */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = 'Nicht bezahlt. Erneut wischen';

/** See {@link Translation}. */
export const translation: Translation = {
  swipe: { buy: 'Zum Zahlen wischen', tip: 'Trinkgeld: wischen', run: 'Wischen & bestätigen' },
  name: {
    buy: 'Wischen, um {amount} zu zahlen',
    tip: 'Wischen, um {amount} Trinkgeld zu geben',
    run: 'Zum Bestätigen wischen',
  },
  step: { buy: '{amount} zahlen', tip: '{amount} Trinkgeld', run: 'Bestätigen' },
  cancel: 'Abbrechen',
  nameWithLabel: '{name}: {label}',
  percent: '{percent} Prozent',
  working: 'Bitte Wallet prüfen…',
  success: { buy: 'Viel Freude damit!', tip: 'Vielen Dank!', run: 'Erledigt' },
  paid: '{amount} bezahlt',
  tokens: ['Token', 'Token'],
  fee: 'Gebühr {fee}',
  cost: 'Etwa {total} einschließlich Netzwerkgebühr ({fee}).',
  toSelf: 'Zahlung an sich selbst',
  getWallet: 'Wallet holen',
  noWallet: 'Keine Wallet',
  opensNewTab: '{text} (öffnet einen neuen Tab)',
  payByPhone: 'Per Handy zahlen',
  reloadPage: 'Seite neu laden',
  loadingTitle: 'Wallet wird gesucht…',
  disabledTitle: 'Die Seite hat diese Schaltfläche abgeschaltet.',
  failed: 'Zahlung nicht möglich',
  failedTitle: 'Die Seite hat diese Schaltfläche nicht richtig eingerichtet. Es ist kein Geld geflossen.',
  filePage: 'Seite über http öffnen',
  filePageTitle:
    'Diese Seite wurde als Datei geöffnet. Eine Wallet erreicht nur Seiten über https oder von http://localhost.',
  unmoved: 'Es ist kein Geld geflossen.',
  demo: 'Demo',
  demoTitle: 'Demo: Es fließt kein Geld.',
  demoPaid: 'Demo: nichts bezahlt',
  form: {
    to: 'Zahlen an',
    toExample: 'Paymail, Nutzer-ID oder Adresse',
    amount: 'Betrag',
    currency: 'Währung',
    badTo: 'Paymail, Nutzer-ID oder Adresse eingeben.',
    badAmount: 'Einen Betrag eingeben, zum Beispiel 0,50.',
    whichAmount: 'Welcher Betrag ist gemeint?',
    again: 'Erneut zahlen',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'Erst laufende Zahlung abschließen',
    'too-many-requests': 'Kurz warten, dann wischen',
    'wallet-outdated': 'Wallet aktualisieren, dann wischen',
    'wallet-locked': 'Wallet entsperren, dann wischen',
    'wallet-not-set-up': 'Wallet einrichten, dann wischen',
    'insufficient-funds': 'Geld aufladen, dann erneut wischen',
    'amount-too-small': 'Der Betrag ist zu klein zum Zahlen',
    'unsupported-recipient': 'Empfänger nicht unterstützt',
    'unknown-recipient': 'Empfänger unbekannt',
    'paymail-unavailable': 'Offline. Neu wischen',
    'operation-failed': 'Nicht zu entschlüsseln',
    'clock-ahead': 'Uhr geht vor. Stellen, dann wischen',
    'rate-unavailable': 'Kein Wechselkurs. Später versuchen',
    'network-unavailable': 'Netzwerk gestört. Erneut wischen',
    'payment-pending': 'Wird gesendet. Nicht erneut zahlen',
    'payment-contested': 'Noch offen. Wallet prüfen',
    'wallet-disconnected': 'Seite neu laden, dann wischen',
    'insecure-origin': 'Zahlen geht nur auf sicheren Seiten',
    other: 'Nicht erledigt. Erneut wischen',
  },
  phone: {
    title: 'Per Handy zahlen',
    scan: 'Diesen Code mit einer BSV-Wallet scannen.',
    enterAmount: 'Dort {amount} eingeben: Der Code enthält keinen Betrag, weil kein Wechselkurs bekannt ist.',
    open: 'In einer Wallet auf diesem Gerät öffnen',
    note: 'Eine Zahlung auf diesem Weg kann diese Seite nicht sehen.',
    close: 'Schließen',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
