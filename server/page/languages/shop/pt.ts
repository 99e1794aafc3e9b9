/** The texts of the demo shop in Portuguese. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'Loja de teste',
  description: 'Três pequenas coisas para pagar com um gesto.',
  heading: 'A loja da esquina',
  lead: 'Três pequenas coisas, cada uma paga com um só gesto.',
  playMoney: 'As moedas são fictícias; tudo o resto é real.',
  noAddress: 'Esta loja não tem endereço para receber, por isso os botões servem apenas para experimentar.',
  noScript: 'Os botões precisam de JavaScript.',
  items: {
    article: {
      name: 'Um bom artigo',
      label: 'Ler',
      text: 'Quatro minutos sobre por que os pequenos pagamentos eram difíceis. Sem assinatura.',
    },
    coffee: {
      name: 'Um café para o autor',
      label: 'Deixar gorjeta',
      text: 'Gostou? Isto vai direto para o autor.',
    },
    print: {
      name: 'Uma gravura para a sua parede',
      label: 'Comprar a gravura',
      text: 'Dunas às seis da manhã, num arquivo digital que se imprime bem até 50 cm.',
    },
  },
  receipt: 'Recibo',
  script: {
    heading: 'O seu recibo',
    paidFor: 'Por',
    paid: 'Pago',
    satoshis: 'Satoshis',
    status: 'Estado',
    statuses: { PENDING: 'Pendente', RECEIVED: 'Na rede', COMPLETED: 'Confirmado', FAILED: 'Falhou' },
    transaction: 'Transação',
    payment: 'Pagamento',
    failed: 'Não funcionou',
    seeButton: 'O botão diz o que fazer a seguir.',
  },
};
