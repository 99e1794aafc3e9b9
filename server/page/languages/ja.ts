/** The texts of the public pages in Japanese. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import { account } from './account/ja.ts';
import { applications } from './applications/ja.ts';
import { assets } from './assets/ja.ts';
import type { SiteTexts } from './en.ts';
import { gallery } from './gallery/ja.ts';
import { reference } from './reference/ja.ts';
import { shop } from './shop/ja.ts';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: '本文へ移動',
    pages: 'ページ',
    gallery: 'ギャラリー',
    docs: 'ドキュメント',
    shop: 'デモショップ',
    signedInAs: 'ログイン中：',
    signIn: 'ログイン',
    toDark: 'ダークテーマ',
    toLight: 'ライトテーマ',
    networks: {
      devnet: 'Devnet：このマシン上の架空のお金',
      testnet: 'Testnet：コインに価値はありません',
      mainnet: 'Mainnet',
    },
    copying: {
      copy: 'コピー',
      copyWhat: 'コピー：{what}',
      copied: 'コピーしました',
      notCopied: 'コピーできません',
      copyYourself: 'コピーできませんでした。代わりにテキストを選択してください。',
    },
  },

  docs: {
    title: 'ドキュメント',
    description: 'ボタン、ウォレット、サービスの使い方と仕組み。',
    inEnglish: 'ドキュメントは英語です。',
    contentsLabel: 'ドキュメントの目次',
    searchLabel: 'ドキュメントを検索',
    noneFound: '見つかりませんでした。別の言葉、属性、エラーコードで検索してみてください。',
  },

  landing: {
    title: 'スワイプで支払う',
    description: 'ウェブページ用の支払いボタンと、鍵を外に出さないブラウザのウォレットです。',
    lead: 'どんなウェブページにも置けるボタンと、支払うためのブラウザのウォレット。10セントでも10ドルでも、自分だけが管理するコインですぐに支払えます。',
    shop: 'デモショップを試す',
    gallery: 'すべてのボタンを見る',
    tryLabel: 'この記事を読む',
    tryText:
      '実際のボタンを試せます。スワイプしてみてください。このボタンでは支払いは発生せず、ウォレットも要りません。',
    how: '使い方',
    asks: 'ページが支払いを求めます',
    asksText:
      'ボタンには内容と金額が表示されます。ページがウォレットの中を見たり、代わりに支払ったりすることはできません。',
    decide: 'あなたが決めます',
    decideText:
      'スワイプすると、誰が求めているか、誰にいくら支払うかを、ネットワーク手数料を含めてウォレットが表示します。',
    paid: '支払い完了',
    paidText: 'ウォレットが支払いに署名して送信します。鍵がブラウザの外に出ることはありません。',
    embed: '自分のページに置く',
    embedText: (link) =>
      html`スクリプト1つと、ボタンごとに要素1つ。${link('ギャラリー')}で、すべてのサイズ、状態、言語とそのコードを確認できます。`,
    example: 'ボタンのあるページの例',
    custody: `${PRODUCT_NAME}が、あなたやお客様のお金を預かることはありません。支払いはウォレットからウォレットへ直接届きます。`,
  },

  wallet: {
    title: 'ウォレットを入手',
    lead: '数回のクリックの後は、ウォレットが案内します。リカバリーフレーズを書き留めてください。なくすと、誰もお金を取り戻せません。',
    otherBrowser: 'ほかのブラウザ',
    chromium: 'Chrome、Edge、Brave、Opera',
    download: 'ウォレットをダウンロード',
    downloadForFirefox: 'Firefox用のウォレットをダウンロード',
    version: (version) => `バージョン ${version}`,
    unzip:
      '今後も残しておくフォルダーにファイルを展開してください。ブラウザは起動するたびにそこからウォレットを読み込みます。',
    developerMode: (address) => html`${address} を開き、「デベロッパー モード」（Developer mode）をオンにします。`,
    developerModeOfEdge: (address) =>
      html`${address} を開き、左の列の「開発者モード」（Developer mode）をオンにします。`,
    loadUnpacked: '「パッケージ化されていない拡張機能を読み込む」（Load unpacked）を選びます。',
    selectFolder: '展開したフォルダーを選びます。',
    update:
      '更新するには、新しいファイルを同じフォルダーに展開し、そのページでウォレットの再読み込みアイコンをクリックします。ウォレットの中身はそのままです。',
    keepZip: 'ファイルは展開しないでください。Firefoxはそのまま読み込みます。',
    loadTemporary: (address) =>
      html`${address} を開き、「一時的なアドオンを読み込む…」（Load Temporary Add-on…）を選びます。`,
    selectFile: 'ダウンロードしたファイルを選びます。',
    unsigned:
      'このウォレットにはMozillaの署名がないため、ブラウザを閉じるとFirefoxが中身ごと削除します。復元できるのはリカバリーフレーズだけです。',
    addTo: (browser) => `${browser}に追加`,
    from: (host) => `提供元：${host}`,
    edgeStores: 'ほかのストアの拡張機能を許可するかEdgeに確認された場合は、許可してください。',
    upToDate: 'ブラウザが自動で更新します。',
    withoutStore: 'ストアを使わない方法',
    onComputers: 'ウォレットはパソコンで使えます',
    onComputersText: (address) =>
      html`パソコンのChrome、Edge、Brave、Firefox用の拡張機能です。スマートフォンのブラウザでは使えません。パソコンで ${address} を開いて入手してください。`,
    fromPhone: 'このスマートフォンで支払う',
    fromPhoneText:
      'スマートフォンの別のBSVウォレットでも支払えます。支払いたいページに戻り、「ウォレットを入手」の横のQRコードをタップしてください。そのウォレットで支払いが開きます。別のスマートフォンで読み取ることもできます。QRコードがあるのは、1つのアドレスに支払うボタンだけです。',
    tryShop: 'デモショップで試す',
    howOnComputer: 'パソコンへのインストール方法',
    safari: 'Safari用のウォレットはありません。Chrome、Edge、Brave、Firefoxのいずれかでこのページを開いてください。',
  },

  signIn: {
    title: 'ログイン',
    titleRegister: 'アカウントを作成',
    description: 'ブラウザのウォレットでログインします。パスワードは不要です。',
    lead: 'ウォレットでログインします。パスワードもメールアドレスも不要です。',
    leadRegister: '必要なのはハンドル名だけです。パスワードもメールアドレスも不要です。',
    leadFor: (application) =>
      html`ウォレットでログインします。その後、${application} が求めるアクセスを許可するか確認します。`,
    leadRegisterFor: (application) =>
      html`必要なのはハンドル名だけです。その後、${application} が求めるアクセスを許可するか確認します。`,
    noScript: 'ログインにはJavaScriptが必要です。このページがウォレットとやり取りするために使います。',
    looking: 'ウォレットを探しています…',
    noWallet: 'このブラウザにウォレットが見つかりません',
    noWalletText:
      'アカウントはウォレットに属します。ウォレットは、鍵を保管し、あなたの代わりに署名する小さなブラウザ拡張機能です。鍵を持つのはあなただけで、当社が失うようなパスワードもありません。',
    newTab: '（新しいタブで開きます）',
    stay: 'このページは開いたままにしてください。ウォレットがインストールされると、自動的に続きます。',
    window: 'ウォレットがウィンドウを開き、このサイトのアドレスと署名する内容を表示します。',
    withWallet: 'ウォレットでログイン',
    handle: 'ハンドル名',
    handleHint: '3〜30文字の英数字、ピリオド、ハイフン。',
    name: '名前（任意）',
    nameHint: '支払う人に表示されることがあります。',
    createWithWallet: 'ウォレットでアカウントを作成',
    haveAccount: 'すでにアカウントをお持ちですか？',
    signIn: 'ログイン',
    noAccount: 'アカウントをお持ちでないですか？',
    createOne: '作成する',
    script: {
      checkWallet: 'ウォレットをご確認ください…',
      moment: 'お待ちください…',
      decide: 'ウォレットのウィンドウが開きました。内容を読んで、そこで決定してください。',
      done: 'ログインしました。元のページに戻ります…',
      badHandle:
        '3〜30文字の英小文字と数字を使ってください（英字を1文字以上含む）。間にピリオドとハイフンを入れられます。',
      checking: '確認しています…',
      unsure: '現在、ハンドル名を確認できません。アカウントの作成時にわかります。',
      taken: 'このハンドル名、またはよく似たハンドル名がすでに使われています。',
      free: '{handle} は使えます。',
      paymail: 'あなたのPaymailは {paymail} になります',
      failed: 'うまくいきませんでした',
      again: 'ボタンを押してもう一度お試しください。',
      problems: {
        'sign-in-refused': [
          'ウォレットで拒否されました',
          '何も署名されていません。ボタンを押してもう一度お試しください。',
        ],
        'page-gone': [
          'ウォレットのウィンドウが閉じられました',
          '何も署名されていません。ボタンを押してもう一度お試しください。',
        ],
        'wallet-not-set-up': [
          'ウォレットがまだ設定されていません',
          '開いたタブ、またはブラウザのツールバーからウォレットを設定し、もう一度ボタンを押してください。',
        ],
        'wallet-locked': ['ウォレットがロックされています', 'ロックを解除して、もう一度ボタンを押してください。'],
        'wallet-disconnected': [
          'ウォレットが更新されたか、無効になりました',
          'このページを再読み込みして、もう一度お試しください。',
        ],
        busy: [
          'ウォレットがすでに回答を待っています',
          '先に、開いているウィンドウで回答し、もう一度ボタンを押してください。',
        ],
        'site-blocked': [
          'ウォレットでこのサイトをブロックしています',
          'ウォレットの「サイト」でブロックを解除し、もう一度ボタンを押してください。',
        ],
        'too-many-requests': ['試行回数が多すぎます', '少し待ってから、もう一度ボタンを押してください。'],
        'invalid-challenge': [
          '時間がかかりすぎたか、時計が正しくありません',
          'パソコンの時計をご確認ください。ボタンを押してもう一度お試しください。',
        ],
        'handle-taken': [
          'このハンドル名、またはよく似たハンドル名がすでに使われています',
          '別のものを選んでください。',
        ],
        'invalid-handle': [
          'このハンドル名は無効です',
          '3〜30文字の英小文字と数字を使ってください（英字を1文字以上含む）。間にピリオドとハイフンを入れられます。',
        ],
        'unsupported-method': ['ウォレットの更新が必要です', '更新してから、このページを再読み込みしてください。'],
        'service-unavailable': ['現在、サービスに接続できません', 'ボタンを押してもう一度お試しください。'],
        'unknown-account': ['このウォレットには、まだここのアカウントがありません', '必要なのはハンドル名だけです。'],
        'key-taken': ['このウォレットには、すでにここのアカウントがあります', 'ウォレットごとにアカウントは1つです。'],
      },
      createAccount: 'アカウントを作成',
      signInWithIt: 'そのアカウントでログイン',
    },
  },

  consent: {
    title: 'アクセスを許可しますか？',
    titleMore: '追加で許可しますか？',
    description: 'アプリがアカウントへのアクセスを求めています。',
    allow: (name) => html`${name} を許可しますか？`,
    asksMore: (name) => html`${name} が追加の許可を求めています`,
    site: 'サイト',
    siteNamed: 'サイト（アプリによる名前）',
    sendsYouTo: '移動先',
    account: 'あなたのアカウント',
    notYou: 'ご本人ではありませんか？',
    will: '許可する内容',
    willAlso: '追加で許可する内容',
    already: 'すでに許可している内容',
    never:
      'お金を使うことや、リカバリーフレーズや鍵を見ることは決してできません。アカウントの「連携中のアプリ」で削除するまで、アクセスは有効です。',
    no: '拒否',
    yes: '許可',
    scopes: {
      'auth.user_identity:read': {
        may: 'ユーザーIDと名前を見る',
        not: '残高や支払いは見えません。',
      },
      'users.profiles:read': {
        may: 'プロフィール（名前、Paymail、画像、自己紹介、通貨、言語）を見る',
        not: 'プロフィールを変更することはできません。',
      },
      'users.balance:read': {
        may: 'ウォレットが最後に公開した残高を見る',
        not: '使うことはできません。',
      },
      'payments:read': {
        may: '送金と受け取り、あなたのアプリで行われた支払い（金額、送り主、受取人、日時、添えられたデータ）を見る',
        not: '支払いを行ったり変更したりすることはできません。',
      },
      'users.asset:read': {
        may: 'アセットを見る（作成したもの。残高も見られる場合は保有しているものも）',
        not: '送ることはできません。',
      },
      'users.asset:write': {
        may: 'あなたの名前でアセットを作成・変更・削除する',
        not: '発行も送付もできません。',
      },
    },
  },

  refusal: {
    title: 'このリンクは使えません',
    description: 'アプリから無効なリクエストが届きました。',
    reasons: {
      'unknown-application': 'リンクのアプリが見つかりません。',
      'no-redirect-uri': 'このアプリにはまだリダイレクトURLがないため、誰も接続できません。',
      'other-redirect-uri': 'リンクの移動先が、このアプリの登録したアドレスと異なります。',
    },
    next: '情報は共有されていません。アプリに戻ってもう一度お試しください。解決しない場合は、アプリの開発者にお問い合わせください。',
    developers: '開発者の方へ',
    developersText: (clientId, redirectUri) =>
      html`${clientId} はアプリのOAuth識別子、${redirectUri} は登録したリダイレクトURLと完全に一致する必要があります。どちらもアカウントのアプリのページで確認できます。`,
    staleTitle: '最初からやり直してください',
    staleDescription: 'そのページは期限切れです。',
    staleLead: 'その後ログアウトしたか、ログインし直したため、そのページは期限切れになりました。',
    staleNext: '情報は共有されていません。アプリに戻ってやり直してください。',
  },

  notFound: {
    title: 'ページが見つかりません',
    description: 'このページは存在しません。',
    lead: 'アドレスをご確認ください。ページが移動または削除された可能性があります。',
    home: 'ホーム',
  },

  errors: {
    forbidden: {
      title: 'このフォームは期限切れです',
      text: '別のセッションで開かれたか、別のサイトから送信されました。変更はありません。ページを開き直して、もう一度お試しください。',
    },
    'unknown-application': { title: 'アプリが見つかりません', text: '削除されたか、別のアカウントのものです。' },
    'not-found': { title: 'ページが見つかりません', text: '削除されたか、別のアカウントのものです。' },
    'invalid-request': {
      title: 'うまくいきませんでした',
      text: 'リクエストを読み取れませんでした。変更はありません。',
    },
    'too-many-requests': {
      title: 'リクエストが多すぎます',
      text: '変更はありません。数分待ってから、もう一度お試しください。',
    },
    'too-large': { title: 'フォームが大きすぎます', text: '入力内容を短くしてください。変更はありません。' },
    'too-many-assets': {
      title: 'アセットが100件あります',
      text: 'これが上限です。未発行のものを1件削除してから、新しく作成してください。',
    },
    'asset-conflict': {
      title: 'このアセットは発行済みです',
      text: '発行済みのアセットは削除できません。ほかの人が持っている可能性があります。',
    },
    'too-many-applications': {
      title: 'アプリが50件あります',
      text: 'これが上限です。不要なものを1件削除してから、新しく作成してください。',
    },
    other: { title: '問題が発生しました', text: 'サービス側の問題です。数分後にもう一度お試しください。' },
    toAccount: 'アカウントへ',
  },

  shop,
  account,
  applications,
  assets,
  gallery,
  reference,
};
