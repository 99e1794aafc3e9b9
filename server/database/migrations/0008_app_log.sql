CREATE TABLE "app_log_blocks" (
	"user_id" bigint NOT NULL,
	"position" bigint NOT NULL,
	"writer" text NOT NULL,
	"sequence" integer NOT NULL,
	"block" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "app_log_blocks_user_id_position_pk" PRIMARY KEY("user_id","position"),
	CONSTRAINT "app_log_blocks_id" UNIQUE("user_id","writer","sequence")
);
--> statement-breakpoint
CREATE TABLE "app_logs" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"blocks" integer NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "app_log_blocks" ADD CONSTRAINT "app_log_blocks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "app_logs" ADD CONSTRAINT "app_logs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;