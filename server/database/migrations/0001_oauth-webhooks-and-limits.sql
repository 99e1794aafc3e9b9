CREATE TABLE "applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"client_identifier" text NOT NULL,
	"client_secret_hash" text NOT NULL,
	"oauth_identifier" text NOT NULL,
	"redirect_uri" text,
	"webhook_url" text,
	"webhook_secret" text NOT NULL,
	"require_pkce" boolean NOT NULL,
	"require_secret" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "applications_client_identifier_unique" UNIQUE("client_identifier"),
	CONSTRAINT "applications_oauth_identifier_unique" UNIQUE("oauth_identifier")
);
--> statement-breakpoint
CREATE TABLE "authorization_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"authorization_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "authorizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"application_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"satoshis" bigint NOT NULL,
	"signature" text NOT NULL,
	"published_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"user_id" bigint NOT NULL,
	"application_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"granted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "consents_user_id_application_id_scope_pk" PRIMARY KEY("user_id","application_id","scope")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"subject" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"body" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_subject_key_pk" PRIMARY KEY("subject","key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"left" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"authorization_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"attempted_at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_attempt_at" timestamp with time zone,
	CONSTRAINT "webhook_events_order" UNIQUE("application_id","payment_id","sequence")
);
--> statement-breakpoint
DROP INDEX "payments_user_id";--> statement-breakpoint
ALTER TABLE "access_tokens" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ALTER COLUMN "public_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "application_id" uuid;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "authorization_id" uuid;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "input_satoshis" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "usd_rate" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "bio" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "avatar_url" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "default_currency" text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "default_language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applications_owner_id" ON "applications" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_authorization_id" ON "authorization_codes" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "authorizations_user_application" ON "authorizations" USING btree ("user_id","application_id");--> statement-breakpoint
CREATE INDEX "authorizations_expires_at" ON "authorizations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "consents_application_id" ON "consents" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_updated_at" ON "rate_limits" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_authorization_id" ON "refresh_tokens" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_id" ON "webhook_deliveries" USING btree ("event_id","attempted_at");--> statement-breakpoint
CREATE INDEX "webhook_events_next_attempt_at" ON "webhook_events" USING btree ("next_attempt_at") WHERE "webhook_events"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_application_id" ON "webhook_events" USING btree ("application_id","created_at");--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_application_id" ON "access_tokens" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "access_tokens_authorization_id" ON "access_tokens" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "payment_outputs_user_id" ON "payment_outputs" USING btree ("user_id") WHERE "payment_outputs"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_client_identifier" ON "payments" USING btree ("client_identifier","created_at","id") WHERE "payments"."client_identifier" is not null;--> statement-breakpoint
CREATE INDEX "payments_user_id" ON "payments" USING btree ("user_id","created_at","id");