/** Creates the HTTP service from its dependencies. Doesn't open resources or listen. */
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Network } from '../protocol/bitcoin/address.ts';
import { ServiceError } from '../protocol/errors/service-error.ts';
import { createCurrencySource } from './rates/currencies.ts';
import { referenceRoutes } from './api/openapi/reference-routes.ts';
import { assetRoutes } from './api/assets/asset-routes.ts';
import { v1AssetRoutes } from './compat/v1-asset-routes.ts';
import { v1Routes } from './compat/v1-routes.ts';
import { v2Routes } from './api/v2-routes.ts';
import { appLogRoutes } from './api/account/app-log-routes.ts';
import { applicationRoutes } from './api/applications/application-routes.ts';
import { avatarRoutes } from './api/account/avatar-routes.ts';
import { balanceRoutes } from './api/account/balance-routes.ts';
import { connectionRoutes } from './api/applications/connection-routes.ts';
import { recordRoutes } from './api/payments/record-routes.ts';
import { refundRoutes } from './api/payments/refund-routes.ts';
import type { ArcClient } from './chain/arc-client.ts';
import type { PaidScripts } from './chain/paid-scripts.ts';
import { arcCallbackRoutes } from './api/payments/arc-callback.ts';
import type { Addresses, Config } from './config.ts';
import type { Database, OpenDatabase } from './database/connect.ts';
import { crossOrigin } from './http/cross-origin.ts';
import { describeError, errorHandler } from './http/errors.ts';
import { readForwardedFor } from './http/forwarded-for.ts';
import { securityHeaders } from './http/headers.ts';
import { healthRoutes, type Lifecycle } from './http/health.ts';
import { addressLimits } from './http/limits.ts';
import { createMetrics, type DeliveryProgress } from './http/metrics.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { requestLog } from './http/request-log.ts';
import { identityRoutes } from './api/account/identity-routes.ts';
import { createRateSource } from './rates/rates.ts';
import { networkRoutes } from './api/payments/network-routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { paymailCrossOrigin } from './paymail/cross-origin.ts';
import { paymailRoutes } from './paymail/routes.ts';
import { reportRoutes } from './api/payments/report-routes.ts';
import { receivedRoutes } from './api/payments/received-routes.ts';
import { exactRoutes, inSequence } from './routing/exact-routes.ts';
import type { RouteFamily } from './routing/route.ts';
import { buttonRoutes } from './web/button-routes.ts';
import type { ButtonStore } from './web/button-store.ts';
import { dashboardRoutes } from './web/dashboard/routes.ts';
import { sendPage } from './page/layout.ts';
import { showErrors } from './web/error-page.ts';
import { missingFile } from './web/missing-file.ts';
import { notFoundPage } from './web/not-found-page.ts';
import { webRoutes } from './web/routes.ts';
import { docsRoutes } from './web/docs-routes.ts';
import { pictureRoutes } from './web/picture-routes.ts';
import { signInRoutes } from './web/sign-in/routes.ts';
import { recogniseViewer } from './web/viewer.ts';
import { walletRoutes } from './web/wallet-routes.ts';
import { walletReleaseRoutes } from './api/wallet-release-routes.ts';
import { openWalletPackages } from './wallet-packages.ts';
import { webhookRoutes } from './api/applications/webhook-routes.ts';

export interface AppDependencies {
  db: Database;
  connections: OpenDatabase['connections'];
  fault: OpenDatabase['fault'];
  network: Network;
  addresses: Addresses;
  settings: Pick<
    Config,
    'trustedProxies' | 'rateLimitFactor' | 'webhooksAllowPrivate' | 'metricsToken' | 'walletStores' | 'ratesKey'
  >;
  arc: ArcClient;
  paidScripts: PaidScripts;
  log: Logger;
  now: () => Date;
  lifecycle: Lifecycle;
  deliveryProgress: DeliveryProgress;
  shopAddress: string | null;
  button: ButtonStore;
  /** Directory of the current build, with the packaged wallets to serve. */
  distDirectory: string;
  devnet: RouteFamily | null;
}

/** Creates the service. The database must already be migrated. */
export function createApp(dependencies: AppDependencies): Express {
  const { db, now, network, addresses, settings, log, lifecycle, devnet, button } = dependencies;
  const rates = createRateSource({
    network,
    ratesUrl: addresses.ratesUrl,
    ratesKey: settings.ratesKey,
    now,
    onError: (error) => log.warn({ error: describeError(error) }, 'no new exchange rate: using the last known one'),
  });
  const metrics = createMetrics({ ...dependencies, ratesKnownAt: rates.knownAt });
  const limits = createRateLimits({ db, now, factor: settings.rateLimitFactor });
  const currencies = createCurrencySource(rates);
  const wallet = openWalletPackages(dependencies.distDirectory);
  const api = { ...dependencies, rates, limits, currencies, wallet };
  const app = express();
  app.disable('x-powered-by');
  app.locals.baseUrl = addresses.baseUrl;
  app.set('query parser', 'simple');
  // Cacheable responses set their own ETag. Other responses are never cached, so computing ETags for them would be
  // useless.
  app.set('etag', () => undefined);
  // Used only for `request.ip`, the key for rate limits. The service's origin comes from BASE_URL, never from a header.
  app.set('trust proxy', settings.trustedProxies);

  app.use(
    inSequence([
      readForwardedFor,
      requestLog(log, metrics),
      closeWhenStopping(lifecycle),
      securityHeaders(addresses.secure),
    ]),
  );
  app.use(healthRoutes({ ...dependencies, metrics, metricsToken: settings.metricsToken }));
  if (devnet) app.use('/devnet', devnet.router);
  const families = [
    v1Routes(api),
    oauthRoutes(dependencies),
    identityRoutes(api),
    applicationRoutes(api),
    webhookRoutes(api),
    reportRoutes(api),
    receivedRoutes(api),
    arcCallbackRoutes(dependencies),
    balanceRoutes(api),
    connectionRoutes(api),
    avatarRoutes(api),
    recordRoutes(api),
    refundRoutes(api),
    appLogRoutes(api),
    v2Routes(api),
    assetRoutes(api),
    v1AssetRoutes(api),
    networkRoutes(api),
    walletReleaseRoutes(api),
  ];
  const paymail = paymailRoutes(api);
  app.use(
    inSequence([
      crossOrigin,
      paymailCrossOrigin,
      addressLimits(limits),
      recogniseViewer(dependencies),
      exactRoutes(families),
    ]),
  );
  for (const { router } of [paymail, ...families]) app.use(router);
  const declared = [...(devnet ? [devnet] : []), paymail, ...families].flatMap(({ routes }) => routes);
  app.use(referenceRoutes(dependencies, declared));
  app.locals.routes = declared;
  app.use(dashboardRoutes(api));
  app.use(pictureRoutes(dependencies));
  app.use(buttonRoutes(button));
  app.use(walletRoutes({ wallet, settings }));
  app.use(signInRoutes(dependencies));
  app.use(docsRoutes(dependencies.distDirectory, network));
  app.use(webRoutes({ ...dependencies, wallet, baseUrl: addresses.baseUrl }));
  app.use(missingFile(addresses.baseUrl));
  app.use((request, response) => {
    if (/^\/(?:api|devnet|oauth)(?:\/|$)/i.test(request.path)) throw new ServiceError('not-found');
    sendPage(response, notFoundPage, network, 404);
  });
  app.use(errorHandler(log, showErrors(network)));
  return app;
}

/** Closes keep-alive connections after the response in progress if the service is shutting down. */
function closeWhenStopping(lifecycle: Lifecycle): RequestHandler {
  return (_request, response, next) => {
    if (lifecycle.stopping) response.set('Connection', 'close');
    next();
  };
}
