/** The texts of the public pages in Portuguese, as they read right in Lisbon and in São Paulo. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import { account } from './account/pt.ts';
import { applications } from './applications/pt.ts';
import { assets } from './assets/pt.ts';
import type { SiteTexts } from './en.ts';
import { gallery } from './gallery/pt.ts';
import { reference } from './reference/pt.ts';
import { shop } from './shop/pt.ts';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: 'Ir para o conteúdo',
    pages: 'Páginas',
    gallery: 'Galeria',
    docs: 'Docs',
    shop: 'Loja de teste',
    signedInAs: 'Sessão iniciada como',
    signIn: 'Entrar',
    toDark: 'Tema escuro',
    toLight: 'Tema claro',
    networks: {
      devnet: 'Devnet: dinheiro fictício nesta máquina',
      testnet: 'Testnet: moedas sem valor',
      mainnet: 'Mainnet',
    },
    copying: {
      copy: 'Copiar',
      copyWhat: 'Copiar: {what}',
      copied: 'Copiado',
      notCopied: 'Não copiado',
      copyYourself: 'Não foi possível copiar. Selecione o texto.',
    },
  },

  docs: {
    title: 'Documentação',
    description: 'Como usar o botão, a carteira e o serviço, e como funcionam.',
    inEnglish: 'A documentação está em inglês.',
    contentsLabel: 'Índice da documentação',
    searchLabel: 'Pesquisar na documentação',
    noneFound: 'Nada encontrado. Experimente outra palavra, um atributo ou um código de erro.',
  },

  landing: {
    title: 'Pague com um só gesto',
    description: 'Um botão de pagamento para páginas web e uma carteira no navegador que guarda as suas chaves.',
    lead: 'Um botão para qualquer página web e uma carteira no seu navegador para pagar. Dez centavos ou dez dólares, na hora, com moedas só suas.',
    shop: 'Experimentar a loja',
    gallery: 'Ver todos os botões',
    tryLabel: 'Ler este artigo',
    tryText: 'Um botão de verdade para experimentar. Deslize: este não paga nada e dispensa carteira.',
    how: 'Como funciona',
    asks: 'Uma página pede',
    asksText: 'O botão diz para que é e quanto custa. Uma página não pode ver a sua carteira nem pagar em seu nome.',
    decide: 'A decisão é sua',
    decideText: 'Basta deslizar, e a carteira mostra quem pede, quem recebe e quanto, com a taxa de rede incluída.',
    paid: 'Está pago',
    paidText: 'A sua carteira assina e envia o pagamento. As suas chaves nunca saem do navegador.',
    embed: 'Na sua página',
    embedText: (link) =>
      html`Um script e um elemento por botão. A ${link('galeria')} mostra todos os tamanhos, estados e línguas, com o código de cada um.`,
    example: 'Exemplo de página com um botão',
    custody: `${PRODUCT_NAME} nunca guarda o seu dinheiro nem o dos seus clientes: os pagamentos vão diretamente de carteira para carteira.`,
  },

  wallet: {
    title: 'Obter a carteira',
    lead: 'Bastam alguns cliques e a carteira explica o resto. Anote as palavras de recuperação: sem elas ninguém pode recuperar o seu dinheiro.',
    otherBrowser: 'Outro navegador',
    chromium: 'Chrome, Edge, Brave ou Opera',
    download: 'Baixar a carteira',
    downloadForFirefox: 'Baixar a carteira para Firefox',
    version: (version) => `Versão ${version}`,
    unzip: 'Descompacte o arquivo numa pasta permanente: é dali que o navegador carrega a carteira sempre que abre.',
    developerMode: (address) => html`Abra ${address} e ative o “Modo do desenvolvedor” (“Developer mode”).`,
    developerModeOfEdge: (address) =>
      html`Abra ${address} e ative o “Modo do desenvolvedor” (“Developer mode”) na coluna da esquerda.`,
    loadUnpacked: 'Escolha “Carregar sem compactação” (“Load unpacked”).',
    selectFolder: 'Selecione a pasta descompactada.',
    update:
      'Para atualizar, descompacte uma versão mais recente na mesma pasta e clique no ícone de recarregar da carteira nessa página. A sua carteira fica como está.',
    keepZip: 'Não descompacte o arquivo: o Firefox carrega-o tal como está.',
    loadTemporary: (address) =>
      html`Abra ${address} e escolha “Carregar extensão temporária…” (“Load Temporary Add-on…”).`,
    selectFile: 'Selecione o arquivo baixado.',
    unsigned:
      'Esta carteira não é assinada pela Mozilla, por isso o Firefox remove-a, com tudo o que contém, ao fechar. Só as palavras de recuperação a podem restaurar.',
    addTo: (browser) => `Adicionar ao ${browser}`,
    from: (host) => `de ${host}`,
    edgeStores: 'O Edge pode perguntar se permite extensões de outras lojas: permita.',
    upToDate: 'O navegador mantém-na atualizada.',
    withoutStore: 'Sem a loja',
    onComputers: 'A carteira funciona em computadores',
    onComputersText: (address) =>
      html`É uma extensão para Chrome, Edge, Brave e Firefox no computador. Os navegadores de telefone não a suportam. Abra ${address} no computador para a obter.`,
    fromPhone: 'Pagar com este telefone',
    fromPhoneText:
      'Também pode pagar com outra carteira BSV no telefone. Volte à página que quer pagar e toque no código QR ao lado de “Obter a carteira”. Abre o pagamento nessa carteira, ou outro telefone pode ler o código. Só os botões que pagam a um único endereço têm código QR.',
    tryShop: 'Experimente na loja',
    howOnComputer: 'Como instalar num computador',
    safari: 'A carteira não está disponível para o Safari. Abra esta página no Chrome, Edge, Brave ou Firefox.',
  },

  signIn: {
    title: 'Entrar',
    titleRegister: 'Crie a sua conta',
    description: 'Entre com a carteira do seu navegador. Sem senha.',
    lead: 'A sua carteira faz a entrada. Sem senha, sem e-mail.',
    leadRegister: 'Só precisa de um nome de conta. Sem senha, sem e-mail.',
    leadFor: (application) =>
      html`A sua carteira faz a entrada. Depois perguntamos se ${application} pode aceder ao que pede.`,
    leadRegisterFor: (application) =>
      html`Só precisa de um nome de conta. Depois perguntamos se ${application} pode aceder ao que pede.`,
    noScript: 'Para entrar é preciso JavaScript: esta página usa-o para falar com a sua carteira.',
    looking: 'À procura da sua carteira…',
    noWallet: 'Nenhuma carteira encontrada neste navegador',
    noWalletText:
      'A sua conta pertence a uma carteira: uma pequena extensão do navegador que guarda as suas chaves e assina por si. Mais ninguém tem as suas chaves, e não há nenhuma senha que possamos perder.',
    newTab: '(abre noutra janela)',
    stay: 'Deixe esta página aberta. Continua sozinha quando a carteira estiver instalada.',
    window: 'A sua carteira vai abrir uma janela com o endereço deste site e o que vai assinar.',
    withWallet: 'Entrar com a sua carteira',
    handle: 'Nome de conta',
    handleHint: '3 a 30 letras, algarismos, pontos ou hifens.',
    name: 'O seu nome (opcional)',
    nameHint: 'Quem pagar à sua conta pode ver este nome.',
    createWithWallet: 'Criar conta com a sua carteira',
    haveAccount: 'Já tem conta?',
    signIn: 'Entrar',
    noAccount: 'Ainda não tem conta?',
    createOne: 'Crie uma',
    script: {
      checkWallet: 'Veja a sua carteira…',
      moment: 'Um momento…',
      decide: 'A sua carteira abriu uma janela. Leia e decida ali.',
      done: 'Entrada feita. De volta à página…',
      badHandle:
        'Use 3 a 30 letras minúsculas e algarismos, com pelo menos uma letra. São permitidos pontos e hifens entre eles.',
      checking: 'Verificação em curso…',
      unsure: 'Neste momento não é possível verificar nomes de conta. Vai saber ao criar a conta.',
      taken: 'Este nome de conta, ou um parecido, já está ocupado.',
      free: '{handle} está disponível.',
      paymail: 'O seu paymail será {paymail}',
      failed: 'Não resultou',
      again: 'Prima o botão para tentar de novo.',
      problems: {
        'sign-in-refused': ['Recusou na sua carteira', 'Nada foi assinado. Prima o botão para tentar de novo.'],
        'page-gone': ['A janela da sua carteira foi fechada', 'Nada foi assinado. Prima o botão para tentar de novo.'],
        'wallet-not-set-up': [
          'A sua carteira ainda não está configurada',
          'Configure-a na página que ela abre, ou abra-a na barra de ferramentas do navegador. Depois prima o botão outra vez.',
        ],
        'wallet-locked': ['A sua carteira está bloqueada', 'Desbloqueie-a e prima o botão outra vez.'],
        'wallet-disconnected': [
          'A sua carteira foi atualizada ou desligada',
          'Recarregue esta página e tente de novo.',
        ],
        busy: [
          'A sua carteira já espera a sua resposta',
          'Responda primeiro na janela aberta e prima o botão outra vez.',
        ],
        'site-blocked': [
          'Bloqueou este site na sua carteira',
          'Desbloqueie-o ali, em “Sites”, e prima o botão outra vez.',
        ],
        'too-many-requests': ['Demasiadas tentativas', 'Espere um momento e prima o botão outra vez.'],
        'invalid-challenge': [
          'Demorou demasiado, ou o seu relógio está errado',
          'Verifique o relógio do computador. Prima o botão para tentar de novo.',
        ],
        'handle-taken': ['Este nome de conta, ou um parecido, já está ocupado', 'Escolha outro.'],
        'invalid-handle': [
          'Este nome de conta não é válido',
          'Use 3 a 30 letras minúsculas e algarismos, com pelo menos uma letra. São permitidos pontos e hifens entre eles.',
        ],
        'unsupported-method': ['A sua carteira precisa de uma atualização', 'Atualize-a e recarregue esta página.'],
        'service-unavailable': ['O serviço não responde neste momento', 'Prima o botão para tentar de novo.'],
        'unknown-account': ['Esta carteira ainda não tem conta aqui', 'Só precisa de um nome de conta.'],
        'key-taken': ['Esta carteira já tem uma conta aqui', 'Cada carteira tem uma conta.'],
      },
      createAccount: 'Criar uma conta',
      signInWithIt: 'Entrar com ela',
    },
  },

  consent: {
    title: 'Permitir o acesso?',
    titleMore: 'Permitir mais?',
    description: 'Uma aplicação quer aceder à sua conta.',
    allow: (name) => html`Permitir ${name}?`,
    asksMore: (name) => html`${name} pede mais`,
    site: 'Site',
    siteNamed: 'Site (indicado pela aplicação)',
    sendsYouTo: 'Leva a',
    account: 'A sua conta',
    notYou: 'Não é a sua conta?',
    will: 'Vai poder',
    willAlso: 'Vai também poder',
    already: 'Já tem permissão para',
    never:
      'Nunca pode gastar o seu dinheiro nem ver as suas palavras de recuperação ou chaves. Mantém este acesso até que o remova em “Aplicações ligadas”, na sua conta.',
    no: 'Recusar',
    yes: 'Permitir',
    scopes: {
      'auth.user_identity:read': {
        may: 'Ver o seu ID e o seu nome',
        not: 'Não permite ver o seu saldo nem os seus pagamentos.',
      },
      'users.profiles:read': {
        may: 'Ver o seu perfil: nome, paymail, imagem, apresentação, moeda e língua',
        not: 'Não o pode alterar.',
      },
      'users.balance:read': {
        may: 'Ver o seu saldo, tal como a carteira o publicou pela última vez',
        not: 'Não pode gastar nada.',
      },
      'payments:read': {
        may: 'Ver os seus pagamentos, enviados e recebidos, e os feitos pelas suas aplicações: valores, remetentes, destinatários, datas e os dados que os acompanham',
        not: 'Não pode fazer nem alterar pagamentos.',
      },
      'users.asset:read': {
        may: 'Ver os seus ativos: os que criou e, se puder ver o seu saldo, os que detém',
        not: 'Não pode enviar nenhum.',
      },
      'users.asset:write': {
        may: 'Criar, alterar e apagar ativos em seu nome',
        not: 'Não pode emiti-los nem enviá-los.',
      },
    },
  },

  refusal: {
    title: 'Este link não funciona',
    description: 'Uma aplicação trouxe este pedido inválido.',
    reasons: {
      'unknown-application': 'O link não indica nenhuma aplicação conhecida.',
      'no-redirect-uri': 'Esta aplicação ainda não tem endereço de retorno, por isso ninguém se pode ligar a ela.',
      'other-redirect-uri': 'O link levaria a um endereço diferente do que esta aplicação registou.',
    },
    next: 'Nada foi partilhado. Volte à aplicação e tente de novo. Se não resultar, contacte quem a desenvolve.',
    developers: 'Para quem desenvolve',
    developersText: (clientId, redirectUri) =>
      html`${clientId} tem de ser o identificador OAuth da aplicação, e ${redirectUri} tem de coincidir exatamente com o URL de retorno registado. Ambos estão na página da aplicação, na sua conta.`,
    staleTitle: 'Comece de novo',
    staleDescription: 'Essa página expirou.',
    staleLead: 'Essa página expirou porque, entretanto, saiu da conta ou voltou a entrar.',
    staleNext: 'Nada foi partilhado. Volte à aplicação e comece de novo.',
  },

  notFound: {
    title: 'Página não encontrada',
    description: 'Esta página não existe.',
    lead: 'Verifique o endereço. A página pode ter sido movida ou apagada.',
    home: 'Início',
  },

  errors: {
    forbidden: {
      title: 'Este formulário expirou',
      text: 'Foi aberto noutra sessão ou veio de outro site. Nada mudou. Abra a página outra vez e tente de novo.',
    },
    'unknown-application': {
      title: 'Aplicação não encontrada',
      text: 'Pode ter sido apagada, ou pertence a outra conta.',
    },
    'not-found': { title: 'Página não encontrada', text: 'Pode ter sido apagada, ou pertence a outra conta.' },
    'invalid-request': { title: 'Não resultou', text: 'Não foi possível ler o pedido. Nada mudou.' },
    'too-many-requests': { title: 'Demasiados pedidos', text: 'Nada mudou. Espere alguns minutos e tente de novo.' },
    'too-large': { title: 'Formulário demasiado grande', text: 'Encurte o que escreveu. Nada mudou.' },
    'too-many-assets': {
      title: 'Tem 100 ativos',
      text: 'É o máximo. Apague um que não esteja emitido e crie depois o novo.',
    },
    'asset-conflict': {
      title: 'Este ativo está emitido',
      text: 'Um ativo emitido não pode ser apagado: outras pessoas podem ter parte dele.',
    },
    'too-many-applications': {
      title: 'Tem 50 aplicações',
      text: 'É o máximo. Apague uma de que não precise e crie depois a nova.',
    },
    other: { title: 'Algo correu mal', text: 'O problema é nosso. Tente de novo dentro de alguns minutos.' },
    toAccount: 'Ir para a sua conta',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};
