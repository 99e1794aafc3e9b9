/** The texts of the demo shop in English. Other languages are next to it. */

export const shop = {
  title: 'Demo shop',
  description: 'Three small things to pay for with a swipe.',
  heading: 'The corner shop',
  lead: 'Three small things, each paid with one swipe.',
  playMoney: 'The coins are play money; everything else is real.',
  noAddress: 'This shop has no address to pay to, so its buttons are only for trying out.',
  noScript: 'The buttons require JavaScript.',
  items: {
    article: {
      name: 'One good article',
      label: 'Read it',
      text: 'Four minutes on why small payments used to be hard. No subscription.',
    },
    coffee: {
      name: 'A coffee for the author',
      label: 'Leave a tip',
      text: 'Enjoyed it? This goes straight to the author.',
    },
    print: {
      name: 'A print for your wall',
      label: 'Buy the print',
      text: 'Dunes at six in the morning, as a file that prints well up to 50 cm.',
    },
  },
  receipt: 'Receipt',
  script: {
    heading: 'Your receipt',
    paidFor: 'For',
    paid: 'Paid',
    satoshis: 'Satoshis',
    status: 'Status',
    statuses: { PENDING: 'Pending', RECEIVED: 'On the network', COMPLETED: 'Confirmed', FAILED: 'Failed' },
    transaction: 'Transaction',
    payment: 'Payment',
    failed: 'That didn’t work',
    seeButton: 'The button says what to do next.',
  },
};

/** All texts of the demo shop in one language. */
export type ShopTexts = typeof shop;
