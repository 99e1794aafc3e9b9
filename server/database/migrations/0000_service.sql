CREATE TABLE "access_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" bigint,
	"application_id" uuid,
	"authorization_id" uuid,
	"scopes" text[],
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"webhook_body_secret" text,
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
CREATE TABLE "instance_facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instance_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "paymail_destinations" (
	"reference" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"satoshis" bigint NOT NULL,
	"outputs" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_outputs" (
	"payment_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"to" text NOT NULL,
	"paymail" text,
	"user_id" text,
	"address" text,
	"script" text,
	"amount" text NOT NULL,
	"currency" text NOT NULL,
	"satoshis" bigint NOT NULL,
	"scripts" jsonb NOT NULL,
	"reference" text,
	"recipient_id" bigint,
	CONSTRAINT "payment_outputs_payment_id_position_pk" PRIMARY KEY("payment_id","position")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"sender_paymail" text,
	"reported" boolean NOT NULL,
	"txid" text NOT NULL,
	"normalized_txid" text NOT NULL,
	"rawtx" "bytea" NOT NULL,
	"amount" text NOT NULL,
	"currency" text NOT NULL,
	"satoshis" bigint NOT NULL,
	"input_satoshis" bigint,
	"output_satoshis" bigint,
	"usd_rate" text,
	"currency_rate" text,
	"origin" text,
	"client_identifier" text,
	"button_id" text,
	"button_data" text,
	"crypto_operations" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"status_description" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"callback_asked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"left" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "received_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "received_transactions_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reference" text NOT NULL,
	"user_id" bigint NOT NULL,
	"txid" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"payment_created_at" timestamp with time zone NOT NULL,
	"sender" text,
	"sender_verified" boolean NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"acknowledged_at" timestamp with time zone,
	CONSTRAINT "received_transactions_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"authorization_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"nonce_hash" text PRIMARY KEY NOT NULL,
	"public_key" text,
	"registration" jsonb,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1001 CACHE 1),
	"handle" text NOT NULL,
	"handle_skeleton" text GENERATED ALWAYS AS (replace(replace(translate(handle, '0123456789i.-', 'olzeas6tbgl'), 'rn', 'm'), 'vv', 'w')) STORED,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"receiving_xpub" text NOT NULL,
	"bio" text DEFAULT '' NOT NULL,
	"avatar_url" text,
	"default_currency" text DEFAULT 'USD' NOT NULL,
	"default_language" text DEFAULT 'en' NOT NULL,
	"receiving_base" integer DEFAULT 0 NOT NULL,
	"receiving_turn" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_handle_unique" UNIQUE("handle"),
	CONSTRAINT "users_handle_skeleton_unique" UNIQUE("handle_skeleton"),
	CONSTRAINT "users_public_key_unique" UNIQUE("public_key")
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
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paymail_destinations" ADD CONSTRAINT "paymail_destinations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_outputs" ADD CONSTRAINT "payment_outputs_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_outputs" ADD CONSTRAINT "payment_outputs_recipient_id_users_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_reference_paymail_destinations_reference_fk" FOREIGN KEY ("reference") REFERENCES "public"."paymail_destinations"("reference") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "received_transactions" ADD CONSTRAINT "received_transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_authorization_id_authorizations_id_fk" FOREIGN KEY ("authorization_id") REFERENCES "public"."authorizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_expires_at" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "access_tokens_application_id" ON "access_tokens" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "access_tokens_authorization_id" ON "access_tokens" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "applications_owner_id" ON "applications" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_authorization_id" ON "authorization_codes" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "authorizations_user_application" ON "authorizations" USING btree ("user_id","application_id");--> statement-breakpoint
CREATE INDEX "authorizations_expires_at" ON "authorizations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "consents_application_id" ON "consents" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "paymail_destinations_created_at" ON "paymail_destinations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "paymail_destinations_user_id" ON "paymail_destinations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payment_outputs_user_id" ON "payment_outputs" USING btree ("user_id") WHERE "payment_outputs"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_outputs_reference" ON "payment_outputs" USING hash ("reference") WHERE "payment_outputs"."reference" is not null;--> statement-breakpoint
CREATE INDEX "payments_next_check_at" ON "payments" USING btree ("next_check_at") WHERE "payments"."next_check_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reported_txid" ON "payments" USING btree ("txid") WHERE "payments"."reported";--> statement-breakpoint
CREATE INDEX "payments_txid" ON "payments" USING btree ("txid");--> statement-breakpoint
CREATE INDEX "payments_user_id" ON "payments" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_button_id" ON "payments" USING hash ("button_id") WHERE "payments"."button_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_client_identifier" ON "payments" USING btree ("client_identifier","created_at","id") WHERE "payments"."client_identifier" is not null;--> statement-breakpoint
CREATE INDEX "rate_limits_updated_at" ON "rate_limits" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "received_transactions_waiting" ON "received_transactions" USING btree ("user_id","sequence") WHERE "received_transactions"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "received_transactions_user_id" ON "received_transactions" USING btree ("user_id","payment_created_at","payment_id");--> statement-breakpoint
CREATE INDEX "received_transactions_txid" ON "received_transactions" USING btree ("txid");--> statement-breakpoint
CREATE INDEX "received_transactions_payment_id" ON "received_transactions" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_authorization_id" ON "refresh_tokens" USING btree ("authorization_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expires_at" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_id" ON "webhook_deliveries" USING btree ("event_id","attempted_at");--> statement-breakpoint
CREATE INDEX "webhook_events_payment_id" ON "webhook_events" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "webhook_events_due" ON "webhook_events" USING btree ("application_id","next_attempt_at") WHERE "webhook_events"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_over" ON "webhook_events" USING btree ("created_at") WHERE "webhook_events"."next_attempt_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_events_application_id" ON "webhook_events" USING btree ("application_id","created_at");