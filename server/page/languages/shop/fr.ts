/** The texts of the demo shop in French. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'Boutique de démo',
  description: 'Trois petites choses à payer d’un geste.',
  heading: 'La boutique du coin',
  lead: 'Trois petites choses, payées chacune d’un seul geste.',
  playMoney: 'Les fonds sont fictifs, tout le reste est réel.',
  noAddress: 'Cette boutique n’a pas d’adresse où être payée\u00a0: ses boutons servent seulement à essayer.',
  noScript: 'Les boutons ont besoin de JavaScript.',
  items: {
    article: {
      name: 'Un bon article',
      label: 'Le lire',
      text: 'Quatre minutes pour comprendre pourquoi les petits paiements étaient difficiles. Sans abonnement.',
    },
    coffee: {
      name: 'Un café pour l’auteur',
      label: 'Laisser un pourboire',
      text: 'L’article vous a plu\u00a0? Ceci va directement à l’auteur.',
    },
    print: {
      name: 'Une affiche pour votre mur',
      label: 'Acheter l’affiche',
      text: 'Des dunes à six heures du matin, dans un fichier qui s’imprime bien jusqu’à 50\u00a0cm.',
    },
  },
  receipt: 'Reçu',
  script: {
    heading: 'Votre reçu',
    paidFor: 'Pour',
    paid: 'Payé',
    satoshis: 'Satoshis',
    status: 'État',
    statuses: { PENDING: 'En attente', RECEIVED: 'Sur le réseau', COMPLETED: 'Confirmé', FAILED: 'Échoué' },
    transaction: 'Transaction',
    payment: 'Paiement',
    failed: 'Cela n’a pas fonctionné',
    seeButton: 'Le bouton indique quoi faire ensuite.',
  },
};
