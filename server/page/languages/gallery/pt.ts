/** The texts of the gallery in Portuguese. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'Galeria',
  description: 'Que aspeto pode ter o botão de pagamento, e como o pôr na sua página.',
  heading: 'Um botão à medida',
  lead: 'Todos os tamanhos, estados e línguas do botão, cada um com o seu código. Deslize qualquer um: nesta página são demonstrações, e nenhum dinheiro se move.',
  onThisPage: 'Nesta página',
  noScript: 'Os botões requerem JavaScript.',

  sections: {
    embed: { title: 'Na sua página', lead: 'Um script, e um elemento por cada botão.' },
    sizes: { title: 'Tamanhos', lead: 'Uma classe, ou duas propriedades personalizadas.' },
    looks: {
      title: 'Cores, cantos, letra',
      lead: 'Propriedades personalizadas, definidas onde quiser: no botão, numa secção, em toda a página.',
    },
    parts: { title: 'Partes', lead: 'Elementos com nome dentro do botão, aos quais pode dar estilo.' },
    themes: { title: 'Claro e escuro', lead: 'Cada um tem o seu próprio desenho; nenhum é só o outro invertido.' },
    states: { title: 'Estados', lead: 'O estado do elemento está em data-state. Nenhum muda o seu tamanho.' },
    kinds: { title: 'Tipos', lead: 'O tipo muda as palavras, nunca o funcionamento.' },
    languages: {
      title: 'Línguas',
      lead: `${PRODUCT_NAME} usa a língua do elemento em que está. Os valores também a seguem. As línguas além do inglês são carregadas quando são precisas.`,
    },
  },

  upToDate: 'Sempre atualizado',
  upToDateText: 'Em cache durante um minuto. A sua página recebe as atualizações sozinha.',
  upToDateCode: 'o script mais recente',
  pinned: 'Fixo nesta versão',
  pinnedText: (list) =>
    html`Disponível para sempre, e o navegador rejeita tudo o resto. Não carrega nada por si: fixe também as línguas e as partes que usar. ${list} enumera todas.`,
  pinnedCode: 'esta versão do script',
  notBuilt: 'O botão ainda não foi compilado.',
  element: 'Um elemento por cada botão',
  elementText: (render, to) => html`Ou em JavaScript: ${render}. Ponha o seu próprio paymail, ID ou endereço em ${to}.`,
  elementCode: 'um botão',
  elementLabel: 'Ler o artigo',
  languageCode: 'a língua de uma página',

  propertiesTitle: 'Propriedades personalizadas',
  propertyName: 'Nome',
  propertyInitial: 'Predefinição',
  propertyChanges: 'O que muda',
  properties: {
    '--sb-accent': 'Preenchimento, cursor, links, anel de foco',
    '--sb-paper': 'Cursor, e texto sobre um preenchimento',
    '--sb-track': 'A pista sob o cursor',
    '--sb-ink': 'Texto',
    '--sb-muted': 'Dicas, taxas, botões desativados',
    '--sb-outline': 'Contorno',
    '--sb-success': 'Preenchimento depois de pago',
    '--sb-danger': 'Erros',
    '--sb-height': 'Altura da pista',
    '--sb-width': 'Largura, pelo menos 220px',
    '--sb-radius': 'Cantos',
    '--sb-font': 'Tipo de letra',
    '--sb-font-size': 'Tamanho da letra',
  },
  initials: {
    '--sb-height': '48px; compacto 36px',
    '--sb-width': '300px; total 100%',
    '--sb-radius': 'metade da altura',
  },

  partNames: 'Nomes das partes',
  parts: {
    button: 'Tudo menos o formulário',
    track: 'A faixa de deslize',
    thumb: 'A parte que se arrasta',
    fill: 'A cor atrás do cursor',
    label: 'O texto ao centro',
    amount: 'O valor a pagar',
    cost: 'A taxa de rede abaixo do valor',
    'get-wallet': 'O link mostrado quando não há carteira',
    phone: 'O botão que abre o código a ler',
    panel: 'O painel com esse código',
    form: 'Os campos de um botão editável',
    field: 'Um deles, com o seu nome',
    pay: 'O botão que paga depois de premir',
    cancel: 'O caminho de volta',
    preset: 'Um dos valores à escolha',
    question: 'A pergunta sobre um valor ambíguo',
  },

  picture: (state) => `O botão: ${state}`,
  states: {
    loading: { title: 'À procura de uma carteira', text: 'Durante 0,6 segundos no máximo.' },
    ready: { title: 'Pronto', text: 'Deslize, ou use as setas, Enter e Escape.' },
    working: { title: 'Em curso', text: 'A carteira está a perguntar. Ainda nada foi pago.' },
    done: { title: 'Pago', text: 'A sua mensagem de sucesso, por um momento.' },
    receipt: { title: 'O recibo', text: 'Fica, para ninguém pagar duas vezes.' },
    error: { title: 'Um erro', text: 'Uma linha curta diz o que fazer. Deslize outra vez para repetir.' },
    'no-wallet': { title: 'Sem carteira', text: 'Uma forma de obter uma, no mesmo tamanho.' },
    disabled: { title: 'Desativado', text: 'Com data-disabled. O seu título diz porquê.' },
    failed: { title: 'Mal configurado', text: 'data-reason tem um código estável; a consola diz o que mudar.' },
    editable: { title: 'Editável', text: 'Com um formulário acima da pista.' },
    rtl: { title: 'Da direita para a esquerda', text: 'Desliza da direita para a esquerda, na língua da página.' },
    compact: { title: 'Compacto', text: 'Os mesmos estados em 36 pixels.' },
    full: { title: 'Largura total', text: 'O valor fica no fim.' },
  },

  examples: {
    default: {
      title: 'Predefinição',
      text: '300 × 48 pixels, mais estreito onde há menos espaço, até 220. Mantém o tamanho em todos os estados.',
      label: 'Ler o artigo',
    },
    compact: { title: 'Compacto', text: '36 pixels de altura, para listas e barras.', label: 'Desbloquear' },
    full: { title: 'Largura total', text: 'Tão largo como o elemento em que está.', label: 'Pagar a encomenda' },
    size: {
      title: 'O seu tamanho',
      text: 'Pelo menos 220 pixels de largura. Abaixo de 280, o texto passa para cima do valor.',
      label: 'Uma canção',
    },
    accent: {
      title: 'A sua cor',
      text: 'Uma para páginas claras e outra para escuras. Mantenha um contraste de 4,5 para 1 com a pista e o papel.',
      label: 'Aderir ao clube',
    },
    square: { title: 'Quadrado', text: 'O cursor e o preenchimento seguem os cantos.', label: 'Comprar o plano' },
    font: {
      title: 'A sua letra',
      text: 'Qualquer letra da página; os algarismos ficam alinhados.',
      label: 'A edição de hoje',
    },
    quiet: { title: 'Discreto', text: 'Sem fundo próprio, para páginas com cor que chegue.', label: 'Deixar gorjeta' },
    part: {
      title: 'Estilo de uma parte',
      text: 'Para o que as propriedades não cobrem, use ::part().',
      label: 'Um bilhete',
    },
    light: {
      title: 'Numa página clara',
      text: 'O botão segue o color-scheme do que o rodeia, não o do sistema de quem visita.',
      label: 'Ler o artigo',
    },
    dark: {
      title: 'Numa página escura',
      text: 'Uma página que suporta ambos define “color-scheme: light dark”.',
      label: 'Ler o artigo',
    },
    buy: { title: 'Comprar', text: 'O tipo predefinido. Sem etiqueta, diz o que fazer.' },
    tip: { title: 'Gorjeta', text: 'Outras palavras antes e depois.' },
    user: {
      title: 'A uma conta',
      text: 'Pelo paymail ou pelo ID (algarismos) de uma conta do seu serviço. A carteira mostra ambos.',
      label: 'Enviar à Ann',
    },
    sign: {
      title: 'Para assinar',
      text: 'Não paga nada: a carteira assina, cifra ou decifra, e a sua página recebe o resultado.',
      label: 'Assinar a petição',
      success: 'Assinada',
    },
    editable: {
      title: 'Editável',
      text: 'Quem visita escolhe a quem pagar e quanto; destinatário e moeda só preenchem o formulário.',
    },
    message: {
      title: 'A sua mensagem de sucesso',
      text: 'Deslize: primeiro aparece a sua mensagem, depois o recibo.',
      label: 'Apoie-nos',
      success: 'Que gesto maravilhoso',
    },
  },
};
