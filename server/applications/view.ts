/** What the API shows of an application to its owner. Nothing in it is secret. */
import type { OwnApplication } from '../../protocol/applications.ts';
import type { Application } from './store.ts';

/** See {@link OwnApplication}. */
export function applicationView(application: Application): OwnApplication {
  const {
    id,
    name,
    url,
    description,
    clientIdentifier,
    oauthIdentifier,
    redirectUri,
    webhookUrl,
    webhookBodySecret,
    requirePkce,
    requireSecret,
    createdAt,
    updatedAt,
  } = application;
  return {
    id,
    name,
    url,
    description,
    clientIdentifier,
    oauthIdentifier,
    redirectUri,
    webhookUrl,
    webhookBody: webhookBodySecret === null ? 'signed' : 'with-secret',
    requirePkce,
    requireSecret,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
