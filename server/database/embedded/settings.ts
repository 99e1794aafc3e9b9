/** Settings of the service's own PostgreSQL, for a small host that isn't dedicated to it. */

export interface Variable {
  connections: number;
  /** Directory of the Unix socket; null to listen on the loopback interface. */
  socketFolder: string | null;
  port: number;
}

/**
 * Returns settings by name (postgresql.org/docs/18/runtime-config.html), which override postgresql.conf. Commits are
 * flushed to disk, which is PostgreSQL's default.
 */
export function settings({ connections, socketFolder, port }: Variable): Record<string, string> {
  return {
    listen_addresses: socketFolder === null ? '127.0.0.1' : '',
    unix_socket_directories: socketFolder ?? '',
    unix_socket_permissions: '0700',
    port: String(port),
    max_connections: String(connections),
    shared_buffers: '64MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    jit: 'off',
    max_stack_depth: '2MB',
    // Disables processes that a single small database doesn't need.
    max_parallel_workers_per_gather: '0',
    autovacuum_max_workers: '1',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // Without replication, the WAL needs less space.
    wal_level: 'minimal',
    max_wal_senders: '0',
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    timezone: 'UTC',
    // Failed statements aren't logged, because they can contain secrets. The service itself reports the failure.
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
}
