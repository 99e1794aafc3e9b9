/** The texts of the pages of a user's assets in German. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'Deine Assets',
    description: 'Die Assets, die du auf diesem Dienst erstellt hast.',
    heading: 'Assets',
    lead: 'Eigene Token, zum Beispiel Punkte, Anteile oder Tickets. Hier beschreibst du sie, deine Wallet prägt sie.',
    create: 'Neues Asset',
    full: (most) =>
      `Du hast ${most} Assets, mehr geht nicht. Lösche eins, das nicht geprägt ist, um ein neues zu erstellen.`,
    none: 'Du hast noch keine Assets.',
    noneText: 'Ein Asset ist ein Token auf der BSV-Blockchain (BSV-21). Du bestimmst Namen und Menge.',
  },
  states: { pending: 'Nicht geprägt', minting: 'Wird bestätigt', minted: 'Geprägt' },

  form: {
    titleNew: 'Neues Asset',
    titleEdit: (name) => `${name} bearbeiten`,
    heading: (name) => html`${name} bearbeiten`,
    description: 'Name, Beschreibung und Menge des Assets.',
    all: 'Alle Assets',
    lead: 'Name, Beschreibung und Bild kannst du später ändern. Alles andere bleibt.',
    name: 'Name',
    nameHint: 'Mindestens 5 Zeichen.',
    about: 'Beschreibung',
    avatar: 'Bild',
    avatarHint: 'Die Adresse eines Bildes, beginnt mit https://. Dieser Dienst lädt es nicht.',
    supply: 'Menge',
    supplyHint: 'Wie viel es davon jemals geben wird.',
    decimals: 'Nachkommastellen',
    decimalsHint: 'Bei 2 ist die kleinste Menge 0,01.',
    url: 'Website',
    urlHint: 'Eine Seite über das Asset, beginnt mit https://.',
    alias: 'Paymail',
    aliasHint: (domain) => `Der Teil vor @${domain}. Lässt du das Feld leer, denken wir uns einen aus.`,
    save: 'Änderungen speichern',
    create: 'Asset erstellen',
  },

  one: {
    description: 'Eins deiner Assets.',
    created: (day) => html`Erstellt am ${day}`,
    edit: 'Bearbeiten',
    delete: 'Löschen',
    details: 'Einzelheiten',
    supply: 'Menge',
    state: 'Status',
    picture: 'Bild',
    site: 'Website',
    assetId: 'Asset-ID',
    tokenId: 'Token-ID',
    mintTitle: 'Asset prägen',
    mintText:
      'Deine Wallet erzeugt die ganze Menge in einer Transaktion und behält sie. Du zahlst die Netzwerkgebühr. Danach lässt sich die Menge nicht mehr ändern.',
    mint: 'Mit Wallet prägen',
    noScript: 'Zum Prägen wird JavaScript gebraucht.',
    mintingText: 'Das Netzwerk hat den Token angenommen. Geprägt ist er, sobald er in einem Block steht.',
  },
  mint: {
    working: 'Sieh in deine Wallet …',
    noWallet: 'In diesem Browser ist keine Wallet, oder sie ist auf dieser Website ausgeschaltet.',
    outdated: 'Deine Wallet kann noch keine Assets prägen. Aktualisiere sie und versuche es dann noch einmal.',
    refused: 'Es wurde nichts geprägt.',
    waiting: 'Deine Wallet hat es signiert und prägt es, sobald sie das Netzwerk erreicht.',
    failed: 'Das hat nicht geklappt. Versuche es noch einmal: Deine Wallet prägt dasselbe Asset nicht zweimal.',
  },
  delete: {
    title: 'Dieses Asset löschen?',
    consequences: [
      'Seine Paymail wird wieder frei.',
      'Auf der Blockchain ändert sich nichts. Prägt deine Wallet es gerade, dann lass sie lieber fertig werden.',
    ],
    button: 'Asset löschen',
  },
};
