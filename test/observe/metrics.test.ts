import t from 'tap';
import { Metrics } from '../../server/observe/metrics.ts';

const samples = async (metrics: Metrics) => (await metrics.text()).split('\n').filter((line) => /^\w/.test(line));

t.test('events become the samples that Prometheus reads, and reading them changes nothing', async (t) => {
  const metrics = new Metrics();
  metrics.sessionStarted('ios');
  metrics.sessionStarted('ios');
  metrics.sessionStarted('android');
  metrics.sessionEnded('android');
  metrics.socketOpened();
  metrics.socketOpened();
  metrics.socketClosed();
  metrics.resumeAsked(true);
  metrics.resumeAsked(true);
  metrics.resumeAsked(false);
  metrics.interactionEnded('ios', 'tap', 'completed', 3);
  metrics.interactionEnded('ios', 'tap', 'completed', 3);
  metrics.interactionEnded('ios', 'tap', 'failed', 3);
  metrics.recordingMoved('ios', 'ready');
  metrics.recordingMoved('ios', 'ready');
  metrics.recordingMoved('android', 'failed');
  metrics.requestAnswered('/service/sessions/{id}', 200);
  metrics.requestAnswered('/service/sessions/{id}', 404);
  metrics.watchBuffered(() => ({ total: 70, largest: 60 }));
  Object.assign(metrics.screens('h264'), { viewers: 2, encodings: 10, packets: 19, bytes: 1_900, leftOut: 1 });
  metrics.screens('jpeg').viewers++;
  const first = await samples(metrics);
  for (const line of [
    'runcloud_sessions_active{platform="ios"} 2',
    'runcloud_sessions_active{platform="android"} 0',
    'runcloud_sockets_open 1',
    'runcloud_socket_resumes_total{resumed="true"} 2',
    'runcloud_socket_resumes_total{resumed="false"} 1',
    'runcloud_interactions_total{platform="ios",action="tap",status="completed"} 2',
    'runcloud_interactions_total{platform="ios",action="tap",status="failed"} 1',
    'runcloud_interaction_duration_seconds_count{platform="ios",action="tap"} 3',
    'runcloud_recordings_total{platform="ios",status="ready"} 2',
    'runcloud_recordings_total{platform="android",status="failed"} 1',
    'runcloud_http_requests_total{route="/service/sessions/{id}",status="200"} 1',
    'runcloud_http_requests_total{route="/service/sessions/{id}",status="404"} 1',
    'runcloud_sockets_buffered_bytes 70',
    'runcloud_sockets_buffered_bytes_max 60',
    'runcloud_screen_viewers{encoding="h264"} 2',
    'runcloud_screen_viewers{encoding="jpeg"} 1',
    'runcloud_screen_encodings_total{encoding="h264"} 10',
    'runcloud_screen_packets_total{encoding="h264"} 19',
    'runcloud_screen_bytes_total{encoding="h264"} 1900',
    'runcloud_screen_left_out_total{encoding="h264"} 1',
  ]) {
    t.ok(first.includes(line), line);
  }
  t.strictSame(await samples(metrics), first);
});

t.test('every metric has its help and type', async (t) => {
  const text = await new Metrics().text();
  for (const [name, type] of [
    ['runcloud_sessions_active', 'gauge'],
    ['runcloud_sockets_open', 'gauge'],
    ['runcloud_socket_resumes_total', 'counter'],
    ['runcloud_sockets_buffered_bytes', 'gauge'],
    ['runcloud_sockets_buffered_bytes_max', 'gauge'],
    ['runcloud_screen_viewers', 'gauge'],
    ['runcloud_screen_encodings_total', 'counter'],
    ['runcloud_screen_left_out_total', 'counter'],
    ['runcloud_interactions_total', 'counter'],
    ['runcloud_interaction_duration_seconds', 'histogram'],
    ['runcloud_recordings_total', 'counter'],
    ['runcloud_http_requests_total', 'counter'],
  ]) {
    t.match(text, new RegExp(`# HELP ${name} \\w.*\\n# TYPE ${name} ${type}\\n`));
  }
  t.match(new Metrics().contentType, /^text\/plain; version=0\.0\.4/);
});

t.test('two services in one process count apart', async (t) => {
  const one = new Metrics();
  one.socketOpened();
  t.ok((await samples(new Metrics())).includes('runcloud_sockets_open 0'));
});

t.test('an edge tells how its hosts and its database are', async (t) => {
  const metrics = new Metrics();
  const devices = [
    { platform: 'ios', total: 2, free: 1 },
    { platform: 'ios', total: 3, free: 3 },
    { platform: 'android', total: 1, free: 0 },
  ];
  let hosts = [
    { name: 'mac-1', state: 'here' as const, isDraining: false, sessions: 2, devices },
    { name: 'mac-2', state: 'away' as const, isDraining: true, sessions: 0, devices: [] },
  ];
  const channels = [{ host: 'mac-1', refusals: { expired: 3 }, gaps: 2 }, { host: 'mac-2' }];
  metrics.watchFleet(() => ({ hosts, channels, isDatabaseReached: false }));
  const told = await samples(metrics);
  for (const line of [
    'runcloud_host_up{host="mac-1"} 1',
    'runcloud_host_up{host="mac-2"} 0',
    'runcloud_host_draining{host="mac-2"} 1',
    'runcloud_host_sessions{host="mac-1"} 2',
    'runcloud_host_devices{host="mac-1",platform="ios",state="free"} 4',
    'runcloud_host_devices{host="mac-1",platform="ios",state="taken"} 1',
    'runcloud_host_devices{host="mac-1",platform="android",state="taken"} 1',
    'runcloud_host_channel_refusals_total{host="mac-1",reason="expired"} 3',
    'runcloud_host_channel_refusals_total{host="mac-1",reason="unsigned"} 0',
    'runcloud_host_channel_gaps_total{host="mac-1"} 2',
    'runcloud_host_channel_gaps_total{host="mac-2"} 0',
    'runcloud_database_up 0',
  ]) {
    t.ok(told.includes(line), line);
  }
  hosts = [];
  channels.length = 0;
  t.notOk(
    (await samples(metrics)).some((line) => line.startsWith('runcloud_host_')),
    'a host that was removed is not told',
  );
});

t.test('an edge counts what it passes on, by its hosts', async (t) => {
  const metrics = new Metrics();
  const forwarded = metrics.forwarding();
  forwarded.called('mac-1', 'answered', 3);
  forwarded.called('mac-1', 'failed', 700);
  forwarded.called('mac-1', 'lost');
  forwarded.called('mac-2', 'unreachable');
  forwarded.gap();
  const told = await samples(metrics);
  for (const line of [
    'runcloud_forwarded_calls_total{host="mac-1",outcome="answered"} 1',
    'runcloud_forwarded_calls_total{host="mac-1",outcome="failed"} 1',
    'runcloud_forwarded_calls_total{host="mac-1",outcome="lost"} 1',
    'runcloud_forwarded_calls_total{host="mac-2",outcome="unreachable"} 1',
    'runcloud_forwarded_call_duration_seconds_bucket{le="0.005",host="mac-1"} 1',
    'runcloud_forwarded_call_duration_seconds_count{host="mac-1"} 2',
    'runcloud_channel_gaps_total 1',
  ]) {
    t.ok(told.includes(line), line);
  }
  t.notOk(
    (await samples(new Metrics())).some((line) => line.startsWith('runcloud_forwarded')),
    'an edge alone',
  );
});
