/** What the service's own PostgreSQL is started with: modest, for a small host that does other work as well. */

/** What differs from start to start. */
export interface Variable {
  connections: number;
  /** Null: it listens on the loopback interface. */
  socketFolder: string | null;
  port: number;
}

/**
 * Settings by name (postgresql.org/docs/18/runtime-config.html). Commits are written through to the disk, as
 * PostgreSQL does by default. Nothing here is read from the folder's postgresql.conf where it is named.
 */
export function settings({ connections, socketFolder, port }: Variable): Record<string, string> {
  return {
    listen_addresses: socketFolder === null ? '127.0.0.1' : '',
    unix_socket_directories: socketFolder ?? '',
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: String(connections),
    // Memory.
    shared_buffers: '64MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    jit: 'off',
    max_stack_depth: '2MB',
    // Processes: none that a single small database does without.
    max_parallel_workers_per_gather: '0',
    autovacuum_max_workers: '1',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // Nobody replicates from it: its log is shorter and takes less space.
    wal_level: 'minimal',
    max_wal_senders: '0',
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    timezone: 'UTC',
    // The service logs these lines as its own. Failed statements are the service's to report: they may hold secrets.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
}
