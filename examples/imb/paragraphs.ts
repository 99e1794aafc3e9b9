/** The article. */
export const PARAGRAPHS: readonly string[] = [
  'The lamp on Skarn Point burned for a hundred and eleven years, and for all of them somebody wrote down what it cost. The ledgers fill a shelf in the harbour office: oil, wicks, a new pane after every second winter, and once, without further comment, one goat.',
  'Ships paid by the passage. A captain who came in under the light owed the keeper three pence, whatever he carried, and the boy who rowed out to collect it got one of them. It was too little to argue about, which is why nobody did.',
  'When the company in the capital took over, it found three pence too small to be worth a clerk. It sold yearly licences instead. The big lines bought them; the fishermen, who came in eight times a year or eighty, could not say in advance how often they would need a light, and went without.',
  'The last keeper, Ane Holm, kept both books. In the company’s she wrote what the licences brought. In her own she wrote the boats that passed in the dark without one, and what they would have paid if anyone had still been there to take three pence.',
  'Her sum, carried forward for nineteen years, comes to slightly more than the licences. The harbour office keeps it under glass. Below the last line she has written: “It was never too little. It was only too much trouble.”',
];
