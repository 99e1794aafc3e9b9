/** The texts of an account's pages in German. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { AccountTexts } from './en.ts';

/** See {@link AccountTexts}. */
export const account: AccountTexts = {
  navigation: {
    label: 'Dein Konto',
    overview: 'Konto',
    sales: 'Verkäufe',
    payments: 'Zahlungen',
    assets: 'Assets',
    applications: 'Anwendungen',
    connected: 'Verbundene Apps',
  },
  script: { timesIn: 'Zeitzone: {zone}.' },

  notices: {
    'profile-saved': 'Profil gespeichert.',
    'picture-saved': 'Bild gespeichert.',
    'picture-removed': 'Bild entfernt.',
    'application-created': 'Anwendung erstellt.',
    'shop-created': 'Dein Shop ist eingerichtet. Kopiere jetzt den Code seines Buttons.',
    'application-saved': 'Änderungen gespeichert.',
    'logo-saved': 'Logo gespeichert.',
    'logo-removed': 'Logo entfernt.',
    'client-secret-changed': 'Neues Client-Secret erstellt. Das alte gilt nicht mehr.',
    'webhook-secret-changed': 'Neues Webhook-Secret erstellt. Ereignisse werden ab jetzt damit signiert.',
    'webhook-secret-ended':
      'Das alte Webhook-Secret ist abgelaufen. Ereignisse werden nur noch mit dem neuen signiert.',
    'test-event-sent': 'Testereignis gesendet. Das Ergebnis erscheint unten.',
    'application-deleted': 'Anwendung gelöscht.',
    'connection-revoked': 'Zugriff entfernt.',
    'event-resent': 'Das Ereignis wird noch einmal gesendet.',
    'asset-created': 'Asset erstellt. Jetzt präge es.',
    'asset-saved': 'Änderungen gespeichert.',
    'asset-deleted': 'Asset gelöscht.',
  },
  form: {
    notSaved: (title) => `Nicht gespeichert: ${title}`,
    nothingSaved: 'Es wurde noch nichts gespeichert',
    check: (field) => html`Prüfe: ${field}`,
    optional: '(optional)',
    cancel: 'Abbrechen',
  },
  problems: {
    'The request is malformed.': 'Eine Angabe ist ungültig oder zu lang.',
    'The name contains characters that can’t be displayed.':
      'Der Name enthält Zeichen, die sich nicht anzeigen lassen.',
    'The text about you contains characters that can’t be displayed.':
      'Der Text über dich enthält Zeichen, die sich nicht anzeigen lassen.',
    'The picture must be an https address.': 'Die Adresse des Bildes muss mit https:// beginnen.',
    'The language must be one of the listed ones.': 'Diese Sprache ist nicht bekannt.',
    'This currency isn’t supported.': 'Diese Währung wird nicht unterstützt.',
    'The name must be at least 5 characters.': 'Der Name muss mindestens 5 Zeichen haben.',
    'The name must contain visible characters.': 'Der Name muss sichtbare Zeichen enthalten.',
    'The name must be at most 100 characters.': 'Der Name darf höchstens 100 Zeichen haben.',
    'The description must be at most 1000 characters.': 'Die Beschreibung darf höchstens 1000 Zeichen haben.',
    'The picture must be at most 500 characters.': 'Das Bild darf höchstens 500 Zeichen haben.',
    'The picture must begin with https:// and can’t contain #, a user or a password.':
      'Das Bild muss mit https:// beginnen und darf kein #, keinen Nutzer und kein Passwort enthalten.',
    'The site must begin with https:// and can’t contain #, a user or a password.':
      'Die Website muss mit https:// beginnen und darf kein #, keinen Nutzer und kein Passwort enthalten.',
    'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.':
      'Die Menge muss zwischen 1 und 18446744073709551615 der kleinsten Einheiten liegen.',
    'The alias must be at most 30 characters.': 'Die Paymail darf höchstens 30 Zeichen haben.',
    'The alias must be 3 to 30 lowercase letters and digits, with at least one letter. Dots and hyphens are allowed between them.':
      'Eine Paymail hat 3 bis 30 Zeichen: Kleinbuchstaben und Ziffern, davon mindestens einen Buchstaben. Punkte und Bindestriche dürfen dazwischen stehen.',
    'This alias, or one that looks like it, is already taken.':
      'Diese Paymail, oder eine zum Verwechseln ähnliche, ist schon vergeben.',
    'The name can’t be empty.': 'Eine Anwendung braucht einen Namen.',
    'The name must be at most 60 characters.': 'Der Name darf höchstens 60 Zeichen haben.',
    'The site must be at most 500 characters.': 'Die Adresse der Website darf höchstens 500 Zeichen haben.',
    'The site must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'Die Adresse der Website muss mit https:// beginnen (auf diesem Rechner auch http://) und darf weder # noch Nutzer oder Passwort enthalten.',
    'The description must be at most 500 characters.': 'Die Beschreibung darf höchstens 500 Zeichen haben.',
    'The description contains characters that can’t be displayed.':
      'Die Beschreibung enthält Zeichen, die sich nicht anzeigen lassen.',
    'The redirect URL must be at most 500 characters.': 'Die Redirect-URL darf höchstens 500 Zeichen haben.',
    'The redirect URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'Die Redirect-URL muss mit https:// beginnen (auf diesem Rechner auch http://) und darf weder # noch Nutzer oder Passwort enthalten.',
    'The redirect URL can’t contain the parameters code, state, iss or error. The response adds them.':
      'Die Redirect-URL darf keinen Parameter namens code, state, iss oder error haben: Die Antwort fügt sie hinzu.',
    'The webhook URL must be at most 500 characters.': 'Die Webhook-URL darf höchstens 500 Zeichen haben.',
    'The webhook URL must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.':
      'Die Webhook-URL muss mit https:// beginnen (auf diesem Rechner auch http://) und darf weder # noch Nutzer oder Passwort enthalten.',
    'The webhook URL must begin with https://.': 'Die Webhook-URL muss mit https:// beginnen.',
    'The webhook URL must be reachable from the internet. This service sends nothing to its own machine or to private networks.':
      'Die Webhook-URL muss aus dem Internet erreichbar sein: Dieser Dienst sendet nichts an seinen eigenen Rechner und nichts in private Netze.',
    'The webhook body secret must be at most 200 characters.':
      'Das Secret im Inhalt der Webhooks darf höchstens 200 Zeichen haben.',
    'The webhook body secret can’t be empty.': 'Das Secret im Inhalt der Webhooks darf nicht leer sein.',
    'The webhook body secret contains characters that can’t be displayed.':
      'Das Secret im Inhalt der Webhooks enthält Zeichen, die sich nicht anzeigen lassen.',
    'Choose a picture first.': 'Wähle zuerst ein Bild aus.',
    'The picture must be at most 200 kB.': 'Das Bild darf höchstens 200 kB groß sein.',
    'The picture must be a PNG or JPEG file.': 'Das Bild muss eine PNG- oder JPEG-Datei sein.',
    'The picture must be 16 to 1024 pixels wide and high.': 'Das Bild muss 16 bis 1024 Pixel breit und hoch sein.',
  },

  overview: {
    title: 'Dein Konto',
    description: 'Dein Konto und dein Profil.',
    signedIn: 'Du bist angemeldet.',
    signedInAs: (name) => html`${name}, du bist angemeldet.`,
    getPaid: 'So wirst du bezahlt',
    userId: 'Nutzer-ID',
    memberSince: 'Dabei seit',
    custody:
      'Dein Geld ist in deiner Wallet, nicht hier: Dieser Dienst hat deine Schlüssel nicht und kann nichts ausgeben.',
    profile: 'Profil',
    profileText:
      'Wer deine Paymail kennt, kann deinen Namen und dein Bild sehen. Den Rest sehen Anwendungen nur, wenn du es erlaubst.',
    name: 'Name',
    bio: 'Über dich',
    currency: 'Währung',
    language: 'Sprache',
    save: 'Profil speichern',
    signOut: 'Abmelden',
    signOutText:
      'Beendet deine Sitzung auf dieser Website in diesem Browser. Deine Wallet und verbundene Apps bleiben, wie sie sind.',
  },

  picture: {
    title: 'Bild',
    description: 'Dein eigenes Bild.',
    lead: 'Wer deine Paymail kennt, kann es sehen. Wallets zeigen es denen, die du bezahlst oder die dich bezahlen.',
    save: 'Bild speichern',
    remove: 'Bild entfernen',
    alt: 'Dein Bild',
    elsewhere: (address) => `Dein Bild ist unter ${address}`,
    none: 'Wen du bezahlst, sieht deine Initialen.',
    add: 'Bild hinzufügen',
    change: 'Bild ändern',
  },
  upload: {
    picture: 'Bild',
    hint: (kilobytes, pixels) => `PNG oder JPEG, quadratisch, höchstens ${kilobytes} kB und ${pixels} Pixel pro Seite.`,
  },

  statuses: {
    PENDING: { name: 'Ausstehend', text: 'Sie ist noch nicht signiert.' },
    RECEIVED: { name: 'Unterwegs', text: 'Das Netzwerk hat sie. Sie ist noch in keinem Block.' },
    COMPLETED: { name: 'Bestätigt', text: 'Sie ist in einem Block und lässt sich nicht mehr rückgängig machen.' },
    FAILED: { name: 'Fehlgeschlagen', text: 'Das Netzwerk hat sie abgelehnt.' },
  },
  contested: {
    names: { contested: 'Umstritten', unknown: 'Dem Netzwerk unbekannt' },
    text: 'Das Netzwerk steht nicht mehr dahinter. Warten Sie auf einen Block, bevor Sie liefern.',
  },
  descriptions: {
    'The network rejected the transaction.': 'Das Netzwerk hat die Transaktion abgelehnt.',
    'Another transaction spent the same coins.': 'Eine andere Transaktion hat dieselben Coins ausgegeben.',
    'The network has not accepted the transaction for three days.':
      'Das Netzwerk hat die Transaktion drei Tage lang nicht angenommen.',
  },
  refund: 'Erstattung',
  refunded: 'Erstattet',
  partlyRefunded: 'Teilweise erstattet',
  satoshis: plural('de', { one: '# Satoshi', other: '# Satoshis' }),
  claims: (amount) => `Laut Absender ${amount}`,

  payments: {
    title: 'Zahlungen',
    description: 'Gesendete und empfangene Zahlungen mit ihrem Status.',
    lead: 'Was du mit deiner Wallet bezahlt und an deiner Paymail empfangen hast, Neues zuerst.',
    timesInUtc: 'Zeitzone: UTC.',
    status: 'Status',
    all: 'Alle',
    to: 'An',
    from: (sender) => html`Von ${sender}`,
    andMore: plural('de', { one: 'und # weiterer', other: 'und # weitere' }),
    unknownSender: 'einem unbekannten Absender',
    user: (id) => `Nutzer ${id}`,
    notVerified: 'Absender nicht geprüft',
    more: 'Weitere Zahlungen',
    newest: 'Neueste',
    older: 'Ältere',
    noMore: 'Keine weiteren Zahlungen.',
    none: 'Noch keine Zahlungen',
    noneText: 'Zahlungen mit deiner Wallet und an deine Paymail erscheinen hier, sobald das Netzwerk sie hat.',
    tryShop: 'Demo-Shop ausprobieren',
    noneWithStatus: (status) => `Du hast keine Zahlungen mit dem Status „${status}“.`,
    showAll: 'Alle Zahlungen anzeigen',
  },

  payment: {
    title: (amount) => `Zahlung über ${amount}`,
    description: 'Eine Zahlung mit ihren Empfängern und ihrem Status.',
    heading: 'Zahlung über',
    all: 'Alle Zahlungen',
    details: 'Details',
    deviates: (amount) => `Der Absender nennt ${amount}. Bezahlt wurde etwas anderes.`,
    deviatesBelow: 'Was der Absender für einen Empfänger unten nennt, wurde so nicht bezahlt.',
    tokenUnits: (units) => `Kleinste Einheiten: ${units}, von Token`,
    tokenValidity: {
      unverified: {
        name: 'Token wird geprüft',
        text: 'Dieser Dienst prüft noch, ob der Absender den Token wirklich hatte: Gib noch nichts heraus.',
      },
      valid: {
        name: 'Token geprüft',
        text: 'Dieser Dienst hat den Token bis zu seiner Entstehung zurückverfolgt: Der Absender hatte ihn, und der Empfänger hat ihn jetzt.',
      },
      invalid: {
        name: 'Token wertlos',
        text: 'Der Absender hatte nicht so viel von diesem Token: Der Empfänger hält nichts davon. Gib nichts heraus.',
      },
      unknown: {
        name: 'Token ungeprüft',
        text: 'Dieser Dienst kann nicht feststellen, ob der Absender den Token wirklich hatte: Sieh in einem Token-Index nach, bevor du etwas herausgibst.',
      },
    },
    relyOnSatoshis: 'Verlass dich auf die Satoshis: So viel hat die Transaktion bewegt.',
    time: 'Zeit',
    claimed: 'Laut Absender',
    from: 'Von',
    you: 'Dir',
    note: 'Notiz',
    site: 'Website',
    application: 'Anwendung',
    label: 'Beschriftung',
    refundOf: 'Erstattung von',
    payerNote: 'Nachricht des Zahlers',
    refunded: 'Erstattet',
    buttonId: 'Button-ID',
    networkFee: 'Netzwerkgebühr',
    total: 'Gesamt',
    id: 'Zahlungs-ID',
    transaction: 'Transaktion',
    buttonData: 'Daten des Buttons',
    cut: plural('de', { other: '… (# Zeichen)' }),
    recipients: plural('de', { one: 'Empfänger', other: '# Empfänger' }),
    kinds: { ADDRESS: 'Adresse', SCRIPT: 'Skript', PAYMAIL: 'Paymail', USER: 'Nutzer-ID' },
    refunds: 'Erstattungen',
    refund: 'Erstatten …',
  },

  refunding: {
    title: 'Zahlung erstatten',
    description: 'Eine Zahlung ganz oder teilweise zurückgeben.',
    payment: 'Zahlung',
    heading: 'Erstattung',
    allRefunded: 'Diese Zahlung wurde vollständig erstattet.',
    left: (amount) => html`Noch zu erstatten: ${amount}`,
    howMuch: 'Wie viel',
    everything: 'Alles, was noch übrig ist',
    part: 'Einen Teil',
    amount: 'Betrag',
    tooMuch: 'Das ist mehr, als von der Zahlung noch übrig ist.',
    noAmount: 'Gib einen Betrag ein, zum Beispiel 1,50.',
    whichAmount: 'Welcher Betrag ist gemeint?',
    currency: 'Währung',
    atRate: (currency) => `${currency}, zum Kurs des Verkaufs`,
    update: 'Betrag übernehmen',
    pay: 'Zurückzahlen',
    toAddress: (amount, address) => html`${amount} an die Adresse, von der gezahlt wurde: ${address}`,
    noScript: 'Der Button braucht JavaScript.',
    fromWallet:
      'Zahle mit der Wallet dieses Kontos: Dann wird die Erstattung bei der Zahlung vermerkt, und dein Webhook erfährt davon.',
  },

  connected: {
    title: 'Verbundene Apps',
    description: 'Anwendungen mit Zugriff auf dein Konto.',
    lead: 'Anwendungen mit Zugriff auf dein Konto. Entfernst du den Zugriff, endet er sofort.',
    none: 'Keine Anwendung hat Zugriff auf dein Konto.',
    noneText: 'Wenn du dich mit diesem Dienst bei einer Website anmeldest, erscheint sie hier.',
    since: (day) => html`Verbunden seit ${day}. Sie kann:`,
    grantedSince: (day) => html`seit ${day}`,
    never: 'Sie kann nie dein Geld ausgeben oder deine Schlüssel sehen.',
    remove: 'Zugriff entfernen',
  },
};
