/** The texts of the gallery in German. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'Galerie',
  description: 'Wie der Zahlungsbutton aussehen kann und wie er auf deine Seite kommt.',
  heading: 'Ein Button, der passt',
  lead: 'Alle Größen, Zustände und Sprachen des Buttons, jeweils mit Code. Wische über jeden: Hier sind es Demos, und es fließt kein Geld.',
  onThisPage: 'Auf dieser Seite',
  noScript: 'Die Buttons brauchen JavaScript.',

  sections: {
    embed: { title: 'Auf deiner Seite', lead: 'Ein Skript und ein Element für jeden Button.' },
    sizes: { title: 'Größen', lead: 'Eine Klasse oder zwei Custom Properties.' },
    looks: {
      title: 'Farben, Ecken, Schrift',
      lead: 'Custom Properties, gesetzt wo du willst: am Button, an einem Abschnitt, auf der ganzen Seite.',
    },
    parts: { title: 'Teile', lead: 'Benannte Elemente im Button, die du gestalten kannst.' },
    themes: { title: 'Hell und dunkel', lead: 'Beides ist für sich gestaltet, keines nur die Umkehrung des anderen.' },
    states: { title: 'Zustände', lead: 'Der Zustand steht in data-state. Keiner ändert die Größe.' },
    kinds: { title: 'Arten', lead: 'Die Art ändert die Worte, nie die Funktion.' },
    languages: {
      title: 'Sprachen',
      lead: `${PRODUCT_NAME} spricht die Sprache des umgebenden Elements. Auch Beträge richten sich danach. Andere Sprachen als Englisch werden bei Bedarf geladen.`,
    },
  },

  upToDate: 'Immer aktuell',
  upToDateText: 'Wird eine Minute lang zwischengespeichert. Deine Seite bekommt Updates von selbst.',
  upToDateCode: 'das neueste Skript',
  pinned: 'Auf diese Version festgelegt',
  pinnedText: (list) =>
    html`Bleibt für immer verfügbar, und der Browser lehnt alles andere ab. Sie lädt nichts von selbst: Lege auch die Sprachen und Teile fest, die du verwendest. ${list} nennt sie alle.`,
  pinnedCode: 'diese Version des Skripts',
  notBuilt: 'Der Button wurde noch nicht gebaut.',
  element: 'Ein Element für jeden Button',
  elementText: (render, to) =>
    html`Oder aus JavaScript: ${render}. Schreib deine eigene Paymail, Nutzer-ID oder Adresse in ${to}.`,
  elementCode: 'ein Button',
  elementLabel: 'Artikel lesen',
  languageCode: 'die Sprache einer Seite',

  propertiesTitle: 'Custom Properties',
  propertyName: 'Name',
  propertyInitial: 'Standard',
  propertyChanges: 'Was sie ändert',
  properties: {
    '--sb-accent': 'Füllung, Schieber, Links, Fokusring',
    '--sb-paper': 'Schieber und Text auf der Füllung',
    '--sb-track': 'Die Bahn unter dem Schieber',
    '--sb-ink': 'Text',
    '--sb-muted': 'Hinweise, Gebühren, abgeschaltete Buttons',
    '--sb-outline': 'Umriss',
    '--sb-success': 'Füllung nach dem Bezahlen',
    '--sb-danger': 'Fehler',
    '--sb-height': 'Höhe der Bahn',
    '--sb-width': 'Breite, mindestens 220px',
    '--sb-radius': 'Ecken',
    '--sb-font': 'Schriftart',
    '--sb-font-size': 'Schriftgröße',
  },
  initials: { '--sb-height': '48px; kompakt 36px', '--sb-width': '300px; 100% full', '--sb-radius': 'halbe Höhe' },

  partNames: 'Namen der Teile',
  parts: {
    button: 'Alles außer dem Formular',
    track: 'Der Regler',
    thumb: 'Was du ziehst',
    fill: 'Die Farbe hinter dem Schieber',
    label: 'Der Text in der Mitte',
    amount: 'Der Betrag',
    cost: 'Die Netzwerkgebühr unter dem Betrag',
    'get-wallet': 'Der Link, wenn es keine Wallet gibt',
    phone: 'Öffnet den Code zum Scannen',
    panel: 'Das Feld mit diesem Code',
    form: 'Die Felder eines bearbeitbaren Buttons',
    field: 'Eines davon, mit seinem Namen',
    pay: 'Der Button, der nach einem Druck bezahlt',
    cancel: 'Der Weg zurück',
    preset: 'Einer der Beträge zur Auswahl',
    question: 'Die Frage zu einem mehrdeutigen Betrag',
  },

  picture: (state) => `Der Button: ${state}`,
  states: {
    loading: { title: 'Sucht eine Wallet', text: 'Höchstens 0,6 Sekunden lang.' },
    ready: { title: 'Bereit', text: 'Wischen, oder Pfeiltasten, Enter und Escape.' },
    working: { title: 'Arbeitet', text: 'Die Wallet fragt gerade. Noch ist nichts bezahlt.' },
    done: { title: 'Bezahlt', text: 'Deine Erfolgsmeldung, einen Moment lang.' },
    receipt: { title: 'Die Quittung', text: 'Bleibt stehen, damit niemand zweimal zahlt.' },
    error: { title: 'Ein Fehler', text: 'Eine kurze Zeile sagt, was zu tun ist. Noch einmal wischen genügt.' },
    'no-wallet': { title: 'Keine Wallet', text: 'Ein Weg zu einer, in derselben Größe.' },
    disabled: { title: 'Abgeschaltet', text: 'Mit data-disabled. Der title sagt, warum.' },
    failed: {
      title: 'Falsch eingerichtet',
      text: 'data-reason hat einen festen Code; die Konsole sagt, was zu ändern ist.',
    },
    editable: { title: 'Bearbeitbar', text: 'Mit einem Formular über der Bahn.' },
    rtl: { title: 'Von rechts nach links', text: 'Wird von rechts nach links gewischt, in der Sprache der Seite.' },
    compact: { title: 'Kompakt', text: 'Dieselben Zustände bei 36 Pixeln.' },
    full: { title: 'Volle Breite', text: 'Der Betrag bleibt am Ende.' },
  },

  examples: {
    default: {
      title: 'Standard',
      text: '300 × 48 Pixel, bei weniger Platz schmaler, bis 220. In jedem Zustand gleich groß.',
      label: 'Artikel lesen',
    },
    compact: { title: 'Kompakt', text: '36 Pixel hoch, für Listen und Leisten.', label: 'Freischalten' },
    full: { title: 'Volle Breite', text: 'So breit wie seine Umgebung.', label: 'Zur Kasse' },
    size: {
      title: 'Deine eigene Größe',
      text: 'Mindestens 220 Pixel breit. Unter 280 rückt der Text über den Betrag.',
      label: 'Ein Song',
    },
    accent: {
      title: 'Deine Akzentfarbe',
      text: 'Eine für helle Seiten und eine für dunkle. Kontrast zu Bahn und Papier mindestens 4,5 zu 1.',
      label: 'Mitglied werden',
    },
    square: { title: 'Eckig', text: 'Schieber und Füllung folgen den Ecken.', label: 'Abo kaufen' },
    font: {
      title: 'Deine eigene Schrift',
      text: 'Jede Schrift der Seite; Ziffern bleiben bündig.',
      label: 'Ausgabe von heute',
    },
    quiet: {
      title: 'Zurückhaltend',
      text: 'Ohne eigenen Hintergrund, für Seiten mit genug Farbe.',
      label: 'Trinkgeld geben',
    },
    part: {
      title: 'Einen Teil gestalten',
      text: 'Was die Properties nicht abdecken, geht mit ::part().',
      label: 'Ein Ticket',
    },
    light: {
      title: 'Auf einer hellen Seite',
      text: 'Der Button richtet sich nach dem color-scheme seiner Umgebung, nicht nach dem System.',
      label: 'Artikel lesen',
    },
    dark: {
      title: 'Auf einer dunklen Seite',
      text: 'Eine Seite, die beides kann, setzt „color-scheme: light dark“.',
      label: 'Artikel lesen',
    },
    buy: { title: 'Kaufen', text: 'Der Standard. Ohne Beschriftung sagt er, was zu tun ist.' },
    tip: { title: 'Trinkgeld', text: 'Andere Worte davor und danach.' },
    user: {
      title: 'An einen Nutzer',
      text: 'Per Paymail oder Nutzer-ID (Ziffern) eines Nutzers deines Dienstes. Die Wallet zeigt beide.',
      label: 'An Ann senden',
    },
    sign: {
      title: 'Zum Signieren',
      text: 'Zahlt nichts: Die Wallet signiert, verschlüsselt oder entschlüsselt, und deine Seite bekommt das Ergebnis.',
      label: 'Petition unterschreiben',
      success: 'Unterschrieben',
    },
    editable: {
      title: 'Bearbeitbar',
      text: 'Wer zahlt, wählt, an wen und wie viel; Empfänger und Währung füllen das Formular nur vor.',
    },
    message: {
      title: 'Deine eigene Erfolgsmeldung',
      text: 'Wische: Zuerst kommt deine Meldung, dann die Quittung.',
      label: 'Unterstütze uns',
      success: 'Du bist großartig',
    },
  },
};
