/** The texts in Japanese. Sentences end politely (desu, masu); texts on the button itself are shorter. */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = '支払っていません。もう一度スワイプ';

/** See {@link Translation}. */
export const translation: Translation = {
  swipe: { buy: 'スワイプで支払う', tip: 'スワイプでチップ', run: 'スワイプで確定' },
  name: { buy: 'スワイプで支払う {amount}', tip: 'スワイプでチップを贈る {amount}', run: 'スワイプで確定' },
  step: { buy: '{amount}を支払う', tip: '{amount}のチップを渡す', run: '確認' },
  cancel: 'キャンセル',
  nameWithLabel: '{name}：{label}',
  percent: '{percent}パーセント',
  working: 'ウォレットをご確認ください…',
  success: { buy: '購入が完了しました', tip: 'ありがとうございます', run: '完了しました' },
  paid: '{amount} 支払い済み',
  tokens: ['トークン', 'トークン'],
  fee: '手数料 {fee}',
  cost: 'ネットワーク手数料（{fee}）を含めて、約 {total} です。',
  toSelf: '自分への支払い',
  getWallet: 'ウォレットを入手',
  noWallet: 'ウォレットなし',
  opensNewTab: '{text}（新しいタブで開きます）',
  payByPhone: 'スマホで支払う',
  reloadPage: 'ページを再読み込み',
  loadingTitle: 'ウォレットを探しています…',
  disabledTitle: 'このボタンはページ側で無効にされています。',
  failed: 'お支払いできません',
  failedTitle: 'このボタンはページ側で正しく設定されていません。お金は動いていません。',
  filePage: 'http でページを開いてください',
  filePageTitle:
    'このページはファイルとして開かれているため、ウォレットから使えません。https または http://localhost で開いてください。',
  unmoved: 'お金は動いていません。',
  demo: 'デモ',
  demoTitle: 'デモ：お金は動きません。',
  demoPaid: 'デモ：支払いなし',
  form: {
    to: '支払先',
    toExample: 'Paymail、ユーザーID、アドレス',
    amount: '金額',
    currency: '通貨',
    badTo: 'Paymail、ユーザーID、アドレスのいずれかを入力してください。',
    badAmount: '金額を入力してください（例：0.50）。',
    whichAmount: 'どちらの金額ですか？',
    again: 'もう一度支払う',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: '先に進行中の支払いを完了してください',
    'too-many-requests': '少し待ってからスワイプしてください',
    'wallet-outdated': 'ウォレットを更新してスワイプ',
    'wallet-locked': 'ウォレットのロックを解除してスワイプ',
    'wallet-not-set-up': 'ウォレットを設定してからスワイプ',
    'insufficient-funds': '入金してからもう一度スワイプ',
    'amount-too-small': '金額が小さすぎて支払えません',
    'unsupported-recipient': 'この受取人には支払えません',
    'unknown-recipient': 'この受取人は存在しません',
    'paymail-unavailable': '接続できません。もう一度スワイプ',
    'operation-failed': 'このウォレットでは復号できません',
    'clock-ahead': '時計が進んでいます。時刻を合わせてください',
    'rate-unavailable': '為替レート不明。後でお試しください',
    'network-unavailable': '通信できません。もう一度スワイプ',
    // No line ends within the word (U+2060).
    'payment-pending': '送信中です。再\u2060度払わないでください',
    'payment-contested': '未承認。ウォレットを確認',
    'wallet-disconnected': 'ページを再読み込みしてスワイプ',
    'insecure-origin': '安全なページでのみ支払えます',
    other: '完了していません。もう一度スワイプ',
  },
  phone: {
    title: 'スマホで支払う',
    scan: 'BSVウォレットでこのコードを読み取ってください。',
    enterAmount: '読み取ったあと {amount} と入力してください。為替レートが不明なため、コードに金額は含まれていません。',
    open: 'この端末のウォレットで開く',
    note: 'この方法での支払いは、このページでは確認できません。',
    close: '閉じる',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
