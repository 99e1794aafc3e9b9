/** The texts of an account's pages in Portuguese. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { AccountTexts } from './en.ts';

/** See {@link AccountTexts}. */
export const account: AccountTexts = {
  navigation: {
    label: 'A sua conta',
    overview: 'Conta',
    payments: 'Pagamentos',
    assets: 'Ativos',
    applications: 'Aplicações',
    connected: 'Aplicações ligadas',
  },
  script: { timesIn: 'Fuso horário: {zone}.' },

  notices: {
    'profile-saved': 'Perfil guardado.',
    'picture-saved': 'Imagem guardada.',
    'picture-removed': 'Imagem removida.',
    'application-created': 'Aplicação criada.',
    'application-saved': 'Alterações guardadas.',
    'logo-saved': 'Logótipo guardado.',
    'logo-removed': 'Logótipo removido.',
    'client-secret-changed': 'Novo segredo de cliente criado. O anterior já não funciona.',
    'webhook-secret-changed': 'Novo segredo de webhook criado. Os eventos passam a ser assinados com ele.',
    'webhook-secret-ended': 'O segredo de webhook anterior expirou. Os eventos são assinados só com o novo.',
    'test-event-sent': 'Evento de teste enviado. O resultado aparece abaixo.',
    'application-deleted': 'Aplicação apagada.',
    'connection-revoked': 'Acesso removido.',
    'event-resent': 'O evento vai ser reenviado.',
    'asset-created': 'Ativo criado. Agora emita-o.',
    'asset-saved': 'Alterações guardadas.',
    'asset-deleted': 'Ativo apagado.',
  },
  form: {
    notSaved: (title) => `Não guardado: ${title}`,
    nothingSaved: 'Ainda nada foi guardado',
    check: (field) => html`Verifique: ${field}`,
    optional: '(opcional)',
    cancel: 'Cancelar',
  },
  problems: {
    'The request is malformed.': 'Um dos dados não é válido ou é demasiado longo.',
    'The name contains characters that cannot be shown.': 'O nome contém caracteres que não podem ser mostrados.',
    'The text about you contains characters that cannot be shown.':
      'O texto de apresentação contém caracteres que não podem ser mostrados.',
    'The picture is not an https address.': 'O endereço da imagem tem de começar por https://.',
    'The language is not known.': 'Esta língua não é conhecida.',
    'This currency isn’t supported.': 'Esta moeda não é suportada.',
    'The name has at least 5 characters.': 'O nome tem pelo menos 5 caracteres.',
    'The name must be visible.': 'O nome tem de ser visível.',
    'The name has at most 100 characters.': 'O nome tem no máximo 100 caracteres.',
    'The description has at most 1000 characters.': 'A descrição tem no máximo 1000 caracteres.',
    'The picture has at most 500 characters.': 'A imagem tem no máximo 500 caracteres.',
    'The picture must begin with https://, and have no #, user or password.':
      'A imagem tem de começar por https://, sem #, utilizador nem senha.',
    'The site must begin with https://, and have no #, user or password.':
      'O site tem de começar por https://, sem #, utilizador nem senha.',
    'The supply must be from 1 to 18446744073709551615 of the smallest units.':
      'A quantidade tem de estar entre 1 e 18446744073709551615 das unidades mais pequenas.',
    'The alias has at most 30 characters.': 'O paymail tem no máximo 30 caracteres.',
    'An alias has 3 to 30 characters: lowercase letters and digits, at least one of them a letter. Dots and hyphens are allowed in between.':
      'Um paymail tem de 3 a 30 caracteres: minúsculas e algarismos, com pelo menos uma letra. No meio pode ter pontos e hífenes.',
    'This alias, or one that looks like it, is already taken.': 'Este paymail, ou um parecido, já está ocupado.',
    'An application needs a name.': 'Uma aplicação precisa de um nome.',
    'The name has at most 60 characters.': 'O nome pode ter no máximo 60 caracteres.',
    'The site has at most 500 characters.': 'O endereço do site pode ter no máximo 500 caracteres.',
    'The site must begin with https:// (or http:// on this machine), and have no #, user or password.':
      'O endereço do site tem de começar por https:// (ou http:// nesta máquina) e não pode ter #, utilizador nem senha.',
    'The description has at most 500 characters.': 'A descrição pode ter no máximo 500 caracteres.',
    'The description contains characters that cannot be shown.':
      'A descrição contém caracteres que não podem ser mostrados.',
    'The redirect address has at most 500 characters.': 'O URL de retorno pode ter no máximo 500 caracteres.',
    'The redirect address must begin with https:// (or http:// on this machine), and have no #, user or password.':
      'O URL de retorno tem de começar por https:// (ou http:// nesta máquina) e não pode ter #, utilizador nem senha.',
    'The redirect address may not have a parameter named code, state, iss or error: the answer brings those.':
      'O URL de retorno não pode ter um parâmetro chamado code, state, iss ou error: esses chegam com a resposta.',
    'The webhook address has at most 500 characters.': 'O URL do webhook pode ter no máximo 500 caracteres.',
    'The webhook address must begin with https:// (or http:// on this machine), and have no #, user or password.':
      'O URL do webhook tem de começar por https:// (ou http:// nesta máquina) e não pode ter #, utilizador nem senha.',
    'The webhook address must begin with https://.': 'O URL do webhook tem de começar por https://.',
    'The webhook address must be one that is reached from the internet: this service sends nothing to its own machine, or into private networks.':
      'O URL do webhook tem de ser acessível a partir da internet: este serviço não envia nada para a própria máquina nem para redes privadas.',
    'The secret in the body of webhooks has at most 200 characters.':
      'O segredo no corpo dos webhooks pode ter no máximo 200 caracteres.',
    'A secret in the body of webhooks cannot be empty.': 'O segredo no corpo dos webhooks não pode estar vazio.',
    'The secret in the body of webhooks contains characters that cannot be shown.':
      'O segredo no corpo dos webhooks contém caracteres que não podem ser mostrados.',
    'Choose a picture first.': 'Escolha primeiro uma imagem.',
    'The picture must be at most 200 kB.': 'A imagem pode ter no máximo 200 kB.',
    'The picture must be a PNG or JPEG file.': 'A imagem tem de ser um ficheiro PNG ou JPEG.',
    'The picture must be 16 to 1024 pixels wide and high.':
      'A imagem tem de ter de 16 a 1024 pixels de largura e de altura.',
  },

  overview: {
    title: 'A sua conta',
    description: 'A sua conta e o seu perfil.',
    signedIn: 'Entrou na sua conta.',
    signedInAs: (name) => html`${name}, entrou na sua conta.`,
    getPaid: 'Como lhe pagam',
    userId: 'ID',
    memberSince: 'Membro desde',
    custody: 'O seu dinheiro está na sua carteira, não aqui: este serviço não tem as suas chaves e não o pode gastar.',
    profile: 'Perfil',
    profileText:
      'Quem souber o seu paymail pode ver o seu nome e a sua imagem. As aplicações só veem o resto se o permitir.',
    name: 'Nome',
    bio: 'Apresentação',
    currency: 'Moeda',
    language: 'Língua',
    save: 'Guardar perfil',
    signOut: 'Sair',
    signOutText:
      'Termina a sua sessão neste site e neste navegador. A sua carteira e as aplicações ligadas ficam como estão.',
  },

  picture: {
    title: 'Imagem',
    description: 'A sua própria imagem.',
    lead: 'Quem souber o seu paymail pode vê-la, e as carteiras mostram-na a quem pagar ou a quem lhe pagar.',
    save: 'Guardar imagem',
    remove: 'Remover imagem',
    alt: 'A sua imagem',
    elsewhere: (address) => `A sua imagem está em ${address}`,
    none: 'As pessoas a quem paga veem as suas iniciais.',
    add: 'Adicionar imagem',
    change: 'Mudar a imagem',
  },
  upload: {
    picture: 'Imagem',
    hint: (kilobytes, pixels) => `PNG ou JPEG, quadrada, no máximo ${kilobytes} kB e ${pixels} pixels de lado.`,
  },

  statuses: {
    PENDING: { name: 'Pendente', text: 'Ainda não está assinado.' },
    RECEIVED: { name: 'A caminho', text: 'A rede já o tem. Ainda não está num bloco.' },
    COMPLETED: { name: 'Confirmado', text: 'Está num bloco e não pode ser revertido.' },
    FAILED: { name: 'Falhado', text: 'A rede rejeitou-o.' },
  },
  contested: {
    names: { contested: 'Contestado', unknown: 'Desconhecido da rede' },
    text: 'A rede já não o confirma. Aguarde um bloco antes de entregar.',
  },
  descriptions: {
    'The network rejected the transaction.': 'A rede rejeitou a transação.',
    'Another transaction spent the same coins.': 'Outra transação gastou as mesmas moedas.',
    'The network has not accepted the transaction for three days.': 'A rede não aceitou a transação durante três dias.',
  },
  refund: 'Reembolso',
  refunded: 'Reembolsado',
  partlyRefunded: 'Reembolsado em parte',
  satoshis: plural('pt', { one: '# satoshi', many: '# de satoshis', other: '# satoshis' }),
  claims: (amount) => `Segundo o remetente, ${amount}`,

  payments: {
    title: 'Pagamentos',
    description: 'Os pagamentos que enviou e recebeu, com o seu estado.',
    lead: 'O que pagou com a sua carteira e recebeu no seu paymail, do mais recente para o mais antigo.',
    timesInUtc: 'Fuso horário: UTC.',
    status: 'Estado',
    all: 'Todos',
    to: 'Para',
    from: (sender) => html`De ${sender}`,
    andMore: plural('pt', { other: 'e mais #' }),
    unknownSender: 'remetente desconhecido',
    user: (id) => `ID ${id}`,
    notVerified: 'remetente não verificado',
    more: 'Mais pagamentos',
    newest: 'Mais recentes',
    older: 'Mais antigos',
    noMore: 'Não há mais pagamentos.',
    none: 'Ainda não há pagamentos',
    noneText:
      'Os pagamentos que fizer com a sua carteira ou receber no seu paymail aparecem aqui assim que a rede os tiver.',
    tryShop: 'Experimentar a loja',
    noneWithStatus: (status) => `Não tem pagamentos com o estado “${status}”.`,
    showAll: 'Mostrar todos os pagamentos',
  },

  payment: {
    title: (amount) => `Pagamento de ${amount}`,
    description: 'Um pagamento, com os seus destinatários e o seu estado.',
    heading: 'Pagamento de',
    all: 'Todos os pagamentos',
    details: 'Detalhes',
    deviates: (amount) => `O remetente indica ${amount}, mas não foi isso que foi pago.`,
    deviatesBelow: 'O que o remetente indica abaixo para um destinatário não foi o que foi pago.',
    tokenUnits: (units) => `Menores unidades: ${units}, do token`,
    tokenValidity: {
      unverified: {
        name: 'Token em verificação',
        text: 'Este serviço ainda verifica se o remetente realmente tinha o token: não entregue nada por enquanto.',
      },
      valid: {
        name: 'Token verificado',
        text: 'Este serviço seguiu o token até a sua criação: o remetente o tinha, e agora o destinatário o tem.',
      },
      invalid: {
        name: 'Token sem valor',
        text: 'O remetente não tinha tanto deste token: o destinatário não tem nada dele. Não entregue nada.',
      },
      unknown: {
        name: 'Token não verificado',
        text: 'Este serviço não consegue descobrir se o remetente realmente tinha o token: consulte a saída em um índice de tokens antes de entregar algo.',
      },
    },
    relyOnSatoshis: 'Confie nos satoshis: foi o que a transação moveu.',
    time: 'Data',
    claimed: 'Segundo o remetente',
    from: 'De',
    you: 'A sua conta',
    note: 'Nota',
    site: 'Site',
    application: 'Aplicação',
    label: 'Etiqueta',
    refundOf: 'Reembolso de',
    refunded: 'Reembolsado',
    buttonId: 'ID do botão',
    networkFee: 'Taxa de rede',
    total: 'Total',
    id: 'ID do pagamento',
    transaction: 'Transação',
    buttonData: 'Dados do botão',
    cut: plural('pt', { one: '… (# carácter)', other: '… (# caracteres)' }),
    recipients: plural('pt', { one: 'Destinatário', other: '# destinatários' }),
    kinds: { ADDRESS: 'Endereço', SCRIPT: 'Script', PAYMAIL: 'Paymail', USER: 'ID' },
    refunds: 'Reembolsos',
    refund: 'Reembolsar…',
  },

  refunding: {
    title: 'Reembolsar um pagamento',
    description: 'Devolver um pagamento, no todo ou em parte.',
    payment: 'Pagamento',
    heading: 'Reembolso',
    allRefunded: 'Este pagamento foi reembolsado por completo.',
    left: (amount) => html`Falta reembolsar: ${amount}`,
    howMuch: 'Quanto',
    everything: 'Tudo o que resta',
    part: 'Uma parte',
    amount: 'Valor',
    tooMuch: 'É mais do que resta do pagamento.',
    noAmount: 'Introduza um valor, por exemplo 1,50.',
    whichAmount: 'Que valor quer dizer?',
    currency: 'Moeda',
    atRate: (currency) => `${currency}, ao câmbio da venda`,
    update: 'Atualizar valor',
    pay: 'Devolver',
    toAddress: (amount, address) => html`${amount} para o endereço que pagou: ${address}`,
    noScript: 'O botão requer JavaScript.',
    fromWallet:
      'Pague com a carteira desta conta: assim, o reembolso fica anotado no pagamento e o seu webhook recebe-o.',
  },

  connected: {
    title: 'Aplicações ligadas',
    description: 'Aplicações com acesso à sua conta.',
    lead: 'Aplicações com acesso à sua conta. Se remover o acesso, ele termina de imediato.',
    none: 'Nenhuma aplicação tem acesso à sua conta.',
    noneText: 'Quando entrar num site com este serviço, ele aparece aqui.',
    since: (day) => html`Ligada desde ${day}. Pode:`,
    grantedSince: (day) => html`desde ${day}`,
    never: 'Nunca pode gastar o seu dinheiro nem ver as suas chaves.',
    remove: 'Remover acesso',
  },
};
