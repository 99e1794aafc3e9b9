import type { Router } from 'express';
import type { CurrencySource } from '../../rates/currencies.ts';
import type { DetailsPolicy } from '../../applications/details.ts';
import { accountPages } from './account-page.ts';
import { accountRouter, type AccountContext } from './account-router.ts';
import { assetPages } from './assets/asset-pages.ts';
import { applicationPages } from './applications/application-pages.ts';
import { connectedPages } from './applications/connected-page.ts';
import { logoPages } from './applications/logo-page.ts';
import { picturePages } from './picture-page.ts';
import { paymentPages } from './payments/payment-page.ts';
import { paymentsPages } from './payments/payments-page.ts';
import { salesOverview } from './sales/sales-overview.ts';
import { salesPages } from './sales/sales-page.ts';
import { refundPages } from './payments/refund-page.ts';
import { testPaymentPages } from './applications/test-payment-page.ts';
import type { ResendContext } from '../../webhooks/resend.ts';

/** Serves all paths under /account. Redirects to /sign-in (303) without a session. */
export function dashboardRoutes(
  context: AccountContext & Pick<ResendContext, 'limits'> & { settings: DetailsPolicy; currencies: CurrencySource },
): Router {
  const pages = accountRouter(context);
  accountPages(pages, context);
  picturePages(pages, context);
  paymentsPages(pages, context);
  paymentPages(pages, context);
  refundPages(pages, context);
  assetPages(pages, context);
  applicationPages(pages, context);
  logoPages(pages, context);
  salesOverview(pages, context);
  salesPages(pages, context);
  testPaymentPages(pages, context);
  connectedPages(pages, context);
  return pages.router;
}
