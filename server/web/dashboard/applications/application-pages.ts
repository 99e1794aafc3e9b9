import type { Response } from 'express';
import { checkChanges, checkNewApplication, type DetailsPolicy } from '../../../applications/details.ts';
import { reachOf } from '../../../applications/reach.ts';
import {
  createApplication,
  deleteApplication,
  endPreviousWebhookSecret,
  findOwnApplication,
  listApplications,
  rotateClientSecret,
  rotateWebhookSecret,
  updateApplication,
  type Application,
} from '../../../applications/store.ts';
import { listSales } from '../../../payments/sales/sales.ts';
import { listEvents, sentBodiesOf } from '../../../webhooks/log.ts';
import { resend, type ResendContext } from '../../../webhooks/resend.ts';
import { sendTestEvent } from '../../../webhooks/test-event.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { Fields } from '../../form.ts';
import type { AccountContext, AccountRouter, Outcome, Visit } from '../account-router.ts';
import { applicationFormPage, detailsOfFields, fieldsOfApplication } from './application-form.ts';
import { applicationPage } from './application-page.ts';
import { applicationsPage } from './applications-page.ts';
import { QUESTIONS, confirmPage, overlapOf } from '../confirm-page.ts';
import { PER_PAGE } from '../payments/payment-list.ts';
import { webhooksPage } from './webhook-log.ts';

const ALL = '/account/applications';
const ONE = `${ALL}/:id`;
/** Number of payments and events shown on an application's page. */
const LATEST = 5;
const ALWAYS = { from: new Date(0), until: new Date('9999-01-01T00:00:00Z') };

const cursorOf = ({ request }: Visit) => (typeof request.query.cursor === 'string' ? request.query.cursor : null);

/** Serves GET and POST under /account/applications. Requests for other users' applications get 404. */
export function applicationPages(
  { get, post }: AccountRouter,
  {
    db,
    network,
    addresses,
    now,
    settings,
    limits,
  }: AccountContext & Pick<ResendContext, 'limits'> & { settings: DetailsPolicy },
): void {
  const policy: DetailsPolicy = { ...settings, own: addresses };
  const applicationOf = ({ viewer, request }: Visit): Promise<Application> =>
    findOwnApplication(db, viewer.user.id, String(request.params.id));
  const pathOf = ({ id }: Application) => `${ALL}/${id}`;

  get(ALL, async (visit) => applicationsPage(await listApplications(db, visit.viewer.user.id), visit));

  get(`${ALL}/new`, (visit) => applicationFormPage(null, visit, { words: visit.words, values: {}, problems: null }));

  post(ALL, async (fields, visit) => {
    const { value: details, problems } = checkNewApplication(detailsOfFields(fields, null), policy);
    if (problems) return { again: applicationFormPage(null, visit, { words: visit.words, values: fields, problems }) };
    const { application, clientSecret, webhookSecret } = await createApplication(
      db,
      visit.viewer.user.id,
      details,
      now(),
    );
    const to = pathOf(application);
    // Merchants aren't shown a client secret, which only servers that use the API need. It can be created later.
    if (fields.shop === 'yes')
      return {
        to,
        flash: { notice: 'shop-created', ...(application.webhookUrl !== null && { webhookSecret }) },
      };
    return { to, flash: { notice: 'application-created', clientSecret, webhookSecret } };
  });

  get(ONE, async (visit) => {
    const application = await applicationOf(visit);
    const [reach, events, payments] = await Promise.all([
      reachOf(db, application.id),
      listEvents(db, application.id, { limit: LATEST }),
      listSales(db, application.clientIdentifier, ALWAYS, { limit: LATEST }),
    ]);
    return applicationPage(
      application,
      { reach, events: events?.events ?? [], payments, baseUrl: addresses.baseUrl, network, now: now() },
      visit,
    );
  });

  get(`${ONE}/edit`, async (visit) => {
    const application = await applicationOf(visit);
    const form = { words: visit.words, values: fieldsOfApplication(application), problems: null };
    return applicationFormPage(application, visit, form);
  });

  post(`${ONE}/edit`, async (fields, visit) => {
    const application = await applicationOf(visit);
    const { value: details, problems } = checkChanges(detailsOfFields(fields, application), policy);
    if (problems)
      return { again: applicationFormPage(application, visit, { words: visit.words, values: fields, problems }) };
    await updateApplication(db, visit.viewer.user.id, application.id, details, now());
    return { to: pathOf(application), flash: { notice: 'application-saved' } };
  });

  const decided: Record<keyof typeof QUESTIONS, (userId: number, id: string, fields: Fields) => Promise<Outcome>> = {
    secret: async (userId, id) => {
      const { application, clientSecret } = await rotateClientSecret(db, userId, id, now());
      return { to: pathOf(application), flash: { notice: 'client-secret-changed', clientSecret } };
    },
    'webhook-secret': async (userId, id, fields) => {
      const { application, webhookSecret } = await rotateWebhookSecret(db, userId, id, overlapOf(fields), now());
      return { to: pathOf(application), flash: { notice: 'webhook-secret-changed', webhookSecret } };
    },
    'webhook-secret-previous': async (userId, id) => {
      await endPreviousWebhookSecret(db, userId, id, now());
      return { to: `${ALL}/${id}`, flash: { notice: 'webhook-secret-ended' } };
    },
    delete: async (userId, id) => {
      await deleteApplication(db, userId, id);
      return { to: ALL, flash: { notice: 'application-deleted' } };
    },
  };
  for (const what of Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]) {
    get(`${ONE}/${what}`, async (visit) => confirmPage(await applicationOf(visit), what, visit));
    post(`${ONE}/${what}`, (fields, { viewer, request }) =>
      decided[what](viewer.user.id, String(request.params.id), fields),
    );
  }

  get(`${ONE}/webhooks`, async (visit) => {
    const application = await applicationOf(visit);
    const cursor = cursorOf(visit);
    const page = await listEvents(db, application.id, { limit: PER_PAGE, cursor });
    if (!page) throw new ServiceError('invalid-request');
    const bodies = await sentBodiesOf(
      db,
      page.events.map(({ id }) => id),
    );
    return webhooksPage(application, page, cursor, bodies, visit, now());
  });

  post(`${ONE}/webhooks/test`, async (_fields, visit) => {
    const application = await applicationOf(visit);
    await sendTestEvent({ db, limits, now }, application, visit.request.res as Response);
    return { to: `${pathOf(application)}/webhooks`, flash: { notice: 'test-event-sent' } };
  });

  post(`${ONE}/webhooks/:eventId/resend`, async (_fields, visit) => {
    const application = await applicationOf(visit);
    await resend({ db, limits, now }, application, String(visit.request.params.eventId), visit.request.res as Response);
    return { to: `${pathOf(application)}/webhooks`, flash: { notice: 'event-resent' } };
  });
}
