/** The texts of the public pages in German. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import { account } from './account/de.ts';
import { applications } from './applications/de.ts';
import { assets } from './assets/de.ts';
import type { SiteTexts } from './en.ts';
import { gallery } from './gallery/de.ts';
import { reference } from './reference/de.ts';
import { shop } from './shop/de.ts';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: 'Zum Inhalt springen',
    pages: 'Seiten',
    gallery: 'Galerie',
    docs: 'Doku',
    shop: 'Demo-Shop',
    signedInAs: 'Angemeldet als',
    signIn: 'Anmelden',
    toDark: 'Dunkle Darstellung',
    toLight: 'Helle Darstellung',
    networks: {
      devnet: 'Devnet: Spielgeld auf diesem Rechner',
      testnet: 'Testnet: Coins ohne Wert',
      mainnet: 'Mainnet',
    },
    copying: {
      copy: 'Kopieren',
      copyWhat: 'Kopieren: {what}',
      copied: 'Kopiert',
      notCopied: 'Nicht kopiert',
      copyYourself: 'Kopieren nicht möglich. Markiere stattdessen den Text.',
    },
  },

  docs: {
    title: 'Dokumentation',
    description: 'Wie man Button, Wallet und Dienst benutzt und wie sie funktionieren.',
    inEnglish: 'Die Dokumentation ist auf Englisch.',
    contentsLabel: 'Inhalt der Dokumentation',
    searchLabel: 'Dokumentation durchsuchen',
    noneFound: 'Nichts gefunden. Versuch es mit einem anderen Wort, einem Attribut oder einem Fehlercode.',
  },

  landing: {
    title: 'Mit einem Wisch zahlen',
    description: 'Ein Zahlungsbutton für Webseiten und eine Wallet im Browser, die deine Schlüssel für sich behält.',
    lead: 'Ein Button für jede Webseite und eine Wallet in deinem Browser. Zehn Cent oder zehn Dollar, sofort bezahlt, mit Coins, über die nur du verfügst.',
    shop: 'Demo-Shop ausprobieren',
    gallery: 'Alle Buttons ansehen',
    tryLabel: 'Artikel lesen',
    tryText: 'Ein echter Button zum Ausprobieren. Wische: Dieser zahlt nichts und braucht keine Wallet.',
    how: 'So funktioniert es',
    asks: 'Eine Seite fragt',
    asksText:
      'Der Button zeigt, wofür und wie viel. Eine Seite kann nicht in deine Wallet sehen und nicht für dich zahlen.',
    decide: 'Du entscheidest',
    decideText:
      'Du wischst, und deine Wallet zeigt, wer fragt, wer das Geld bekommt und wie viel, einschließlich der Netzwerkgebühr.',
    paid: 'Bezahlt',
    paidText: 'Deine Wallet signiert und sendet die Zahlung. Deine Schlüssel verlassen nie deinen Browser.',
    embed: 'Auf deiner eigenen Seite',
    embedText: (link) =>
      html`Ein Skript und ein Element für jeden Button. Die ${link('Galerie')} zeigt alle Größen, Zustände und Sprachen, jeweils mit Code.`,
    example: 'Beispiel einer Seite mit einem Button',
    custody: `${PRODUCT_NAME} verwahrt nie Geld, weder deins noch das deiner Kunden: Zahlungen gehen direkt von Wallet zu Wallet.`,
  },

  wallet: {
    title: 'Wallet holen',
    lead: 'Ein paar Klicks, dann führt dich die Wallet weiter. Schreib deine Wiederherstellungswörter auf: Ohne sie kann niemand dein Geld zurückholen.',
    otherBrowser: 'Anderer Browser',
    chromium: 'Chrome, Edge, Brave oder Opera',
    download: 'Wallet herunterladen',
    downloadForFirefox: 'Wallet für Firefox herunterladen',
    version: (version) => `Version ${version}`,
    unzip: 'Entpacke die Datei in einen Ordner, den du behältst: Der Browser lädt die Wallet bei jedem Start von dort.',
    developerMode: (address) => html`Öffne ${address} und schalte den „Entwicklermodus“ („Developer mode“) ein.`,
    developerModeOfEdge: (address) =>
      html`Öffne ${address} und schalte links den „Entwicklermodus“ („Developer mode“) ein.`,
    loadUnpacked: 'Wähle „Entpackte Erweiterung laden“ („Load unpacked“).',
    selectFolder: 'Wähle den entpackten Ordner aus.',
    update:
      'Zum Aktualisieren entpackst du einen neueren Download in denselben Ordner und klickst auf jener Seite auf das Symbol zum Neuladen. Deine Wallet bleibt, wie sie ist.',
    keepZip: 'Entpacke die Datei nicht: Firefox lädt sie, wie sie ist.',
    loadTemporary: (address) => html`Öffne ${address} und wähle „Temporäres Add-on laden…“ („Load Temporary Add-on…“).`,
    selectFile: 'Wähle die heruntergeladene Datei aus.',
    unsigned:
      'Diese Wallet ist nicht von Mozilla signiert. Firefox entfernt sie deshalb samt Inhalt, wenn du den Browser schließt. Nur mit deinen Wiederherstellungswörtern lässt sie sich wiederherstellen.',
    addTo: (browser) => `Zu ${browser} hinzufügen`,
    from: (host) => `von ${host}`,
    edgeStores: 'Edge fragt vielleicht, ob Erweiterungen aus anderen Stores erlaubt sind: Erlaube es.',
    upToDate: 'Dein Browser hält sie aktuell.',
    withoutStore: 'Ohne Store',
    onComputers: 'Die Wallet läuft auf Computern',
    onComputersText: (address) =>
      html`Sie ist eine Erweiterung für Chrome, Edge, Brave und Firefox auf dem Computer. Browser auf dem Handy unterstützen sie nicht. Öffne ${address} auf deinem Computer, um sie zu holen.`,
    fromPhone: 'Mit diesem Handy zahlen',
    fromPhoneText:
      'Du kannst auch mit einer anderen BSV-Wallet auf deinem Handy zahlen. Geh zurück zur Seite und tippe auf den QR-Code neben „Wallet holen“. Er öffnet die Zahlung in jener Wallet, oder ein anderes Handy scannt ihn. Nur Buttons, die an eine einzige Adresse zahlen, haben einen QR-Code.',
    tryShop: 'Im Demo-Shop ausprobieren',
    howOnComputer: 'So installierst du sie auf einem Computer',
    safari: 'Für Safari gibt es die Wallet nicht. Öffne diese Seite in Chrome, Edge, Brave oder Firefox.',
  },

  signIn: {
    title: 'Anmelden',
    titleRegister: 'Konto erstellen',
    description: 'Melde dich mit der Wallet in deinem Browser an. Ohne Passwort.',
    lead: 'Deine Wallet meldet dich an. Kein Passwort, keine E-Mail.',
    leadRegister: 'Du brauchst nur einen Nutzernamen. Kein Passwort, keine E-Mail.',
    leadFor: (application) =>
      html`Deine Wallet meldet dich an. Danach fragen wir, ob ${application} den gewünschten Zugriff bekommt.`,
    leadRegisterFor: (application) =>
      html`Du brauchst nur einen Nutzernamen. Danach fragen wir, ob ${application} den gewünschten Zugriff bekommt.`,
    noScript: 'Zum Anmelden braucht diese Seite JavaScript: Damit spricht sie mit deiner Wallet.',
    looking: 'Deine Wallet wird gesucht …',
    noWallet: 'In diesem Browser wurde keine Wallet gefunden',
    noWalletText:
      'Dein Konto gehört zu einer Wallet: einer kleinen Browser-Erweiterung, die deine Schlüssel aufbewahrt und für dich signiert. Niemand sonst hat deine Schlüssel, und es gibt kein Passwort, das wir verlieren könnten.',
    newTab: '(öffnet einen neuen Tab)',
    stay: 'Lass diese Seite offen. Sie macht von selbst weiter, sobald die Wallet installiert ist.',
    window: 'Deine Wallet öffnet ein Fenster mit der Adresse dieser Website und dem, was du signierst.',
    withWallet: 'Mit deiner Wallet anmelden',
    handle: 'Nutzername',
    handleHint: '3 bis 30 Buchstaben, Ziffern, Punkte oder Bindestriche.',
    name: 'Dein Name (optional)',
    nameHint: 'Wer dich bezahlt, kann ihn sehen.',
    createWithWallet: 'Konto mit deiner Wallet erstellen',
    haveAccount: 'Schon ein Konto?',
    signIn: 'Anmelden',
    noAccount: 'Noch kein Konto?',
    createOne: 'Konto erstellen',
    script: {
      checkWallet: 'Sieh in deine Wallet …',
      moment: 'Einen Moment …',
      decide: 'Deine Wallet hat ein Fenster geöffnet. Lies es und entscheide dort.',
      done: 'Du bist angemeldet. Es geht zurück …',
      badHandle:
        'Nimm 3 bis 30 Kleinbuchstaben und Ziffern, darunter mindestens einen Buchstaben. Dazwischen sind Punkte und Bindestriche erlaubt.',
      checking: 'Wird geprüft …',
      unsure: 'Nutzernamen lassen sich gerade nicht prüfen. Du erfährst es beim Erstellen des Kontos.',
      taken: 'Dieser oder ein zum Verwechseln ähnlicher Nutzername ist schon vergeben.',
      free: '{handle} ist verfügbar.',
      paymail: 'Deine Paymail wird {paymail}',
      failed: 'Das hat nicht geklappt',
      again: 'Drück den Button, um es erneut zu versuchen.',
      problems: {
        'sign-in-refused': [
          'Du hast in deiner Wallet abgelehnt',
          'Es wurde nichts signiert. Drück den Button, um es erneut zu versuchen.',
        ],
        'page-gone': [
          'Das Fenster deiner Wallet wurde geschlossen',
          'Es wurde nichts signiert. Drück den Button, um es erneut zu versuchen.',
        ],
        'wallet-not-set-up': [
          'Deine Wallet ist noch nicht eingerichtet',
          'Richte sie in dem Tab ein, den sie öffnet, oder öffne sie über die Symbolleiste deines Browsers. Drück dann den Button noch einmal.',
        ],
        'wallet-locked': ['Deine Wallet ist gesperrt', 'Entsperre sie und drück dann den Button noch einmal.'],
        'wallet-disconnected': [
          'Deine Wallet wurde aktualisiert oder abgeschaltet',
          'Lade diese Seite neu und versuch es noch einmal.',
        ],
        busy: [
          'Deine Wallet wartet schon auf dich',
          'Antworte zuerst in ihrem offenen Fenster und drück dann den Button noch einmal.',
        ],
        'site-blocked': [
          'Du hast diese Website in deiner Wallet blockiert',
          'Lass sie dort unter „Websites“ wieder zu und drück dann den Button noch einmal.',
        ],
        'too-many-requests': ['Zu viele Versuche', 'Warte einen Moment und drück dann den Button noch einmal.'],
        'invalid-challenge': [
          'Das hat zu lange gedauert, oder deine Uhr geht falsch',
          'Prüfe die Uhr deines Computers. Drück den Button, um es erneut zu versuchen.',
        ],
        'handle-taken': [
          'Dieser oder ein zum Verwechseln ähnlicher Nutzername ist schon vergeben',
          'Wähle einen anderen.',
        ],
        'invalid-handle': [
          'Das ist kein gültiger Nutzername',
          'Nimm 3 bis 30 Kleinbuchstaben und Ziffern, darunter mindestens einen Buchstaben. Dazwischen sind Punkte und Bindestriche erlaubt.',
        ],
        'unsupported-method': ['Deine Wallet braucht ein Update', 'Aktualisiere sie und lade diese Seite neu.'],
        'service-unavailable': ['Wir sind gerade nicht erreichbar', 'Drück den Button, um es erneut zu versuchen.'],
        'unknown-account': ['Diese Wallet hat hier noch kein Konto', 'Du brauchst nur einen Nutzernamen.'],
        'key-taken': ['Diese Wallet hat hier schon ein Konto', 'Jede Wallet hat ein Konto.'],
      },
      createAccount: 'Konto erstellen',
      signInWithIt: 'Damit anmelden',
    },
  },

  consent: {
    title: 'Zugriff erlauben?',
    titleMore: 'Mehr erlauben?',
    description: 'Eine Anwendung möchte auf dein Konto zugreifen.',
    allow: (name) => html`${name} erlauben?`,
    asksMore: (name) => html`${name} möchte mehr`,
    site: 'Website',
    siteNamed: 'Website (Angabe der Anwendung)',
    sendsYouTo: 'Führt dich zu',
    account: 'Dein Konto',
    notYou: 'Nicht du?',
    will: 'Sie kann dann',
    willAlso: 'Sie kann dann außerdem',
    already: 'Schon erlaubt',
    never:
      'Sie kann nie dein Geld ausgeben und weder deine Wiederherstellungswörter noch deine Schlüssel sehen. Sie behält diesen Zugriff, bis du ihn in deinem Konto unter „Verbundene Apps“ entfernst.',
    no: 'Ablehnen',
    yes: 'Erlauben',
    scopes: {
      'auth.user_identity:read': {
        may: 'Deine Nutzer-ID und deinen Namen sehen',
        not: 'Dein Guthaben und deine Zahlungen sieht sie damit nicht.',
      },
      'users.profiles:read': {
        may: 'Dein Profil sehen: Name, Paymail, Bild, Beschreibung, Währung und Sprache',
        not: 'Ändern kann sie dein Profil nicht.',
      },
      'users.balance:read': {
        may: 'Dein Guthaben sehen, wie es deine Wallet zuletzt gemeldet hat',
        not: 'Ausgeben kann sie nichts davon.',
      },
      'payments:read': {
        may: 'Deine Zahlungen sehen, gesendete und empfangene, und die über deine Anwendungen: Beträge, Absender, Empfänger, Zeiten und mitgesendete Daten',
        not: 'Zahlungen senden oder ändern kann sie nicht.',
      },
      'users.asset:read': {
        may: 'Deine Assets sehen: die du erstellt hast und, wenn sie dein Guthaben sehen darf, die du hältst',
        not: 'Sie kann keins davon senden.',
      },
      'users.asset:write': {
        may: 'In deinem Namen Assets erstellen, ändern und löschen',
        not: 'Sie kann sie weder prägen noch senden.',
      },
    },
  },

  refusal: {
    title: 'Dieser Link funktioniert nicht',
    description: 'Eine Anwendung hat dich mit einer ungültigen Anfrage hierhergeschickt.',
    reasons: {
      'unknown-application': 'Der Link nennt keine Anwendung, die wir kennen.',
      'no-redirect-uri':
        'Diese Anwendung hat noch keine Adresse für die Rückkehr. Deshalb kann sich niemand mit ihr verbinden.',
      'other-redirect-uri':
        'Der Link würde dich zu einer anderen Adresse führen als der, die diese Anwendung angegeben hat.',
    },
    next: 'Es wurde nichts weitergegeben. Geh zurück zur Anwendung und versuch es noch einmal. Hilft das nicht, wende dich an ihre Entwickler.',
    developers: 'Für Entwickler',
    developersText: (clientId, redirectUri) =>
      html`${clientId} muss die OAuth-Kennung der Anwendung sein, und ${redirectUri} muss genau mit der eingetragenen Redirect-URL übereinstimmen. Beides steht auf der Seite der Anwendung in deinem Konto.`,
    staleTitle: 'Bitte noch einmal von vorn',
    staleDescription: 'Diese Seite ist abgelaufen.',
    staleLead: 'Diese Seite ist abgelaufen, weil du dich inzwischen abgemeldet oder neu angemeldet hast.',
    staleNext: 'Es wurde nichts weitergegeben. Geh zurück zur Anwendung und beginne von vorn.',
  },

  notFound: {
    title: 'Seite nicht gefunden',
    description: 'Diese Seite gibt es nicht.',
    lead: 'Prüfe die Adresse. Vielleicht wurde die Seite verschoben oder gelöscht.',
    home: 'Startseite',
  },

  errors: {
    forbidden: {
      title: 'Dieses Formular ist abgelaufen',
      text: 'Es wurde in einer anderen Sitzung geöffnet oder kam von einer anderen Website. Es hat sich nichts geändert. Öffne die Seite neu und versuch es noch einmal.',
    },
    'unknown-application': {
      title: 'Anwendung nicht gefunden',
      text: 'Vielleicht wurde sie gelöscht, oder sie gehört zu einem anderen Konto.',
    },
    'not-found': {
      title: 'Seite nicht gefunden',
      text: 'Vielleicht wurde sie gelöscht, oder sie gehört zu einem anderen Konto.',
    },
    'invalid-request': {
      title: 'Das hat nicht geklappt',
      text: 'Wir konnten die Anfrage nicht lesen. Es hat sich nichts geändert.',
    },
    'too-many-requests': {
      title: 'Zu viele Anfragen',
      text: 'Es hat sich nichts geändert. Warte ein paar Minuten und versuch es dann noch einmal.',
    },
    'too-large': { title: 'Formular zu groß', text: 'Kürze deine Eingaben. Es hat sich nichts geändert.' },
    'too-many-assets': {
      title: 'Du hast 100 Assets',
      text: 'Mehr geht nicht. Lösche eins, das nicht geprägt ist, und erstelle dann das neue.',
    },
    'asset-conflict': {
      title: 'Dieses Asset ist geprägt',
      text: 'Ein geprägtes Asset lässt sich nicht löschen: Andere können etwas davon halten.',
    },
    'too-many-applications': {
      title: 'Du hast 50 Anwendungen',
      text: 'Mehr geht nicht. Lösche eine, die du nicht brauchst, und erstelle dann die neue.',
    },
    other: {
      title: 'Etwas ist schiefgegangen',
      text: 'Das Problem liegt bei uns. Versuch es in ein paar Minuten noch einmal.',
    },
    toAccount: 'Zu deinem Konto',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};
