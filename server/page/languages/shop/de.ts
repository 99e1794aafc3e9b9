/** The texts of the demo shop in German. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'Demo-Shop',
  description: 'Drei Kleinigkeiten, jede mit einem Wisch bezahlt.',
  heading: 'Der Laden an der Ecke',
  lead: 'Drei Kleinigkeiten, jede mit einem Wisch bezahlt.',
  playMoney: 'Die Coins sind Spielgeld, alles andere ist echt.',
  noAddress: 'Dieser Shop hat keine Adresse, an die man zahlen könnte. Seine Buttons sind nur zum Ausprobieren da.',
  noScript: 'Die Buttons brauchen JavaScript.',
  items: {
    article: {
      name: 'Ein guter Artikel',
      label: 'Lesen',
      text: 'Vier Minuten darüber, warum kleine Zahlungen einmal schwierig waren. Ohne Abo.',
    },
    coffee: {
      name: 'Ein Kaffee für den Autor',
      label: 'Trinkgeld geben',
      text: 'Hat’s gefallen? Das geht direkt an den Autor.',
    },
    print: {
      name: 'Ein Bild für die Wand',
      label: 'Bild kaufen',
      text: 'Dünen um sechs Uhr morgens, als Datei, die sich bis 50 cm gut drucken lässt.',
    },
  },
  receipt: 'Beleg',
  script: {
    heading: 'Dein Beleg',
    paidFor: 'Für',
    paid: 'Bezahlt',
    satoshis: 'Satoshi',
    status: 'Status',
    statuses: { PENDING: 'In Arbeit', RECEIVED: 'Im Netzwerk', COMPLETED: 'Bestätigt', FAILED: 'Fehlgeschlagen' },
    transaction: 'Transaktion',
    payment: 'Zahlung',
    failed: 'Das hat nicht geklappt',
    seeButton: 'Der Button sagt, wie es weitergeht.',
  },
};
