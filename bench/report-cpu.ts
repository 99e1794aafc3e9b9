/** Loaded into a server under load: says how much CPU time its process has used, whenever its parent asks. */
process.on('message', () => process.send?.(process.cpuUsage()));
// Whoever asks does not keep the server from ending.
process.channel?.unref();
