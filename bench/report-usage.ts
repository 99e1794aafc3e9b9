/** Reports a server's resource usage to its parent process. Loaded into the server for load tests. */
import { Session, type Profiler } from 'node:inspector/promises';

export interface Usage {
  /** CPU time of all threads, in microseconds. */
  cpuMicroseconds: number;
  /** Resident memory, in bytes. */
  rssBytes: number;
}

export interface Answers {
  usage: Usage;
  'begin-profile': null;
  'end-profile': Profiler.Profile;
}

const session = new Session();

const answers: { [Q in keyof Answers]: () => Answers[Q] | Promise<Answers[Q]> } = {
  usage() {
    const { user, system } = process.cpuUsage();
    return { cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() };
  },
  async 'begin-profile'() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    return null;
  },
  async 'end-profile'() {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
};

process.on('message', async (question: keyof Answers) => process.send?.(await answers[question]()));
// The channel must not keep the server alive.
process.channel?.unref();
