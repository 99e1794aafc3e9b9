CREATE TABLE "assets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"avatar" text,
	"url" text,
	"supply" numeric(20, 0) NOT NULL,
	"decimals" integer NOT NULL,
	"paymail_alias" text NOT NULL,
	"alias_skeleton" text GENERATED ALWAYS AS (replace(replace(translate(paymail_alias, '0123456789i.-', 'olzeas6tbgl'), 'rn', 'm'), 'vv', 'w')) STORED,
	"state" text NOT NULL,
	"token_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "assets_alias_skeleton_unique" UNIQUE("alias_skeleton"),
	CONSTRAINT "assets_token_id_unique" UNIQUE("token_id")
);
--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "assets" jsonb;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "assets_signature" text;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assets_owner_id" ON "assets" USING btree ("owner_id","created_at","id");--> statement-breakpoint
CREATE INDEX "assets_next_check_at" ON "assets" USING btree ("next_check_at") WHERE "assets"."next_check_at" is not null;