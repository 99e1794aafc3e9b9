import type { OwnApplication } from '../../protocol/http/applications.ts';
import { signingSecrets, type Application } from './store.ts';

export function applicationView(application: Application, now: Date): OwnApplication {
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
    previousWebhookSecretUntil,
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
    previousWebhookSecretExpiresAt:
      signingSecrets(application, now).length > 1 ? (previousWebhookSecretUntil?.toISOString() ?? null) : null,
    webhookBody: webhookBodySecret === null ? 'signed' : 'with-secret',
    requirePkce,
    requireSecret,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
