/** The texts of the pages of a user's assets in Portuguese. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'Os seus ativos',
    description: 'Os ativos que criou neste serviço.',
    heading: 'Ativos',
    lead: 'Tokens seus, como pontos, quotas ou bilhetes. Descreve-os aqui e a sua carteira emite-os.',
    create: 'Novo ativo',
    full: (most) => `Tem ${most} ativos, o máximo. Apague um que não esteja emitido para criar outro.`,
    none: 'Ainda não tem ativos.',
    noneText: 'Um ativo é um token na blockchain BSV (BSV-21). Escolhe o nome e quanto há dele.',
  },
  states: { pending: 'Por emitir', minting: 'A confirmar', minted: 'Emitido' },

  form: {
    titleNew: 'Novo ativo',
    titleEdit: (name) => `Editar ${name}`,
    heading: (name) => html`Editar ${name}`,
    description: 'O nome, a descrição e a quantidade do ativo.',
    all: 'Todos os ativos',
    lead: 'Pode mudar depois o nome, a descrição e a imagem. O resto fica como está.',
    name: 'Nome',
    nameHint: 'Pelo menos 5 caracteres.',
    about: 'Descrição',
    avatar: 'Imagem',
    avatarHint: 'O endereço de uma imagem, que começa por https://. Este serviço não a carrega.',
    supply: 'Quantidade',
    supplyHint: 'Tudo o que alguma vez haverá dele.',
    decimals: 'Casas decimais',
    decimalsHint: 'Algarismos depois da vírgula. Com 2, a menor quantidade é 0,01.',
    url: 'Site',
    urlHint: 'Uma página sobre o ativo, que começa por https://.',
    alias: 'Paymail',
    aliasHint: (domain) => `A parte antes de @${domain}. Se a deixar vazia, inventamos uma.`,
    save: 'Guardar alterações',
    create: 'Criar ativo',
  },

  one: {
    description: 'Um dos seus ativos.',
    created: (day) => html`Criado a ${day}`,
    edit: 'Editar',
    delete: 'Apagar',
    details: 'Detalhes',
    supply: 'Quantidade',
    state: 'Estado',
    picture: 'Imagem',
    site: 'Site',
    assetId: 'ID do ativo',
    tokenId: 'ID do token',
    mintTitle: 'Emitir este ativo',
    mintText:
      'A sua carteira cria toda a quantidade numa transação e guarda-a. Paga a taxa de rede. Depois, a quantidade não pode mudar.',
    mint: 'Emitir com a carteira',
    noScript: 'Para emitir é preciso JavaScript.',
    mintingText: 'A rede aceitou o token. Fica emitido quando estiver num bloco.',
  },
  mint: {
    working: 'Veja a sua carteira…',
    noWallet: 'Não há nenhuma carteira neste navegador, ou está desligada neste site.',
    outdated: 'A sua carteira ainda não pode emitir ativos. Atualize-a e tente de novo.',
    refused: 'Nada foi emitido.',
    waiting: 'A sua carteira assinou-o e emite-o assim que conseguir ligar-se à rede.',
    failed: 'Não resultou. Tente de novo: a sua carteira não emite duas vezes o mesmo ativo.',
  },
  delete: {
    title: 'Apagar este ativo?',
    consequences: [
      'O paymail dele volta a ficar livre.',
      'Nada muda na blockchain. Se a sua carteira o está a emitir agora, é melhor deixá-la terminar.',
    ],
    button: 'Apagar ativo',
  },
};
