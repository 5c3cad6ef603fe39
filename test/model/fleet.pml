/*
 * The epochs and leases of a fleet (server/README.md, "Fleet"): two hosts, of which the first may start a second time, also while its
 * first start still runs; two edges; and one client with one session at a time. `spin` goes through every order of the steps below;
 * `fleet-model.test.ts` runs it.
 *
 * Time is left out: whatever has a limit of time may happen at any moment at which its condition can hold. NATS delivers at most
 * once, in the order of each sender and receiver, and may lose any frame. How many troubles there are is bounded, as is how many
 * channels the client opens; deaths and starts of the host come on top. Left out are calls over HTTP, bodies and windows, placement by key,
 * resuming, and connections to NATS that are lost and made again.
 *
 * What is promised:
 *   AT MOST ONCE   a request id has at most one effect in the life of its session
 *   TRUE           a request that was answered had its effect
 *   OWN            a result comes from the start of the host that made the session
 *   ONE START      what is believed on a channel comes from the start that it was granted for
 *   NEWEST         what an edge believes comes from the newest start that it has heard of
 *   IN ORDER       requests of one socket take effect in the order in which they were sent
 *   KNOWS          no client waits for ever: it gets its results, or is told that its channel or its session is lost
 *
 * Variants, each of which breaks a promise:
 *   -DWITHOUT_EPOCHS         a host takes the grants for its other starts
 *   -DWITHOUT_FRAME_NUMBERS  nobody notices a gap
 *   -DWITHOUT_IDS            a host does not remember the ids of requests
 *   -DWITHOUT_ENDS           an edge keeps the channels of the start before
 *   -DWITHOUT_NEWEST         an edge believes the beats of an earlier start
 *   -DWITHOUT_LOST           an edge does not end the channels of a silent host
 *   -DWITHOUT_RESTARTED      a host goes on with the sessions of its start before, whose memory is gone
 */

#ifndef CHANNELS
#define CHANNELS 2 /* that the client opens at most, one after the other, counted from 1 */
#endif
#ifndef TROUBLES
#define TROUBLES 1 /* in all: a frame is lost, a living peer is taken for a silent one, an edge restarts, or an `open` comes again */
#endif
#ifndef UNDER_WAY
#define UNDER_WAY 2 /* frames under way in one direction; more are lost, as those of a slow consumer are */
#endif

/* Start `s` is of host `s / 2`: server/fleet/epoch.ts counts the starts of a host. */
#define STARTS 4
#define HOST(s) ((s) / 2)
#define EPOCH(s) ((s) % 2 + 1)
#define START(h, e) ((h) * 2 + (e) - 1)

/* server/fleet/frames.ts: `result`, `ping` and `pong` are messages of the client and its session, so `data`. `gone` is the `reply` that
   the session has ended; `ended` is `endedFrame` of channel.ts, which is always number 0. */
mtype = { open, request, ping, closed, accept, result, pong, gone, ended };

/* Subjects `toHost` and `toEdge` (server/fleet/subjects.ts): one queue for each edge and start. Type, channel, number, request id. */
chan toHost[8] = [UNDER_WAY] of { mtype, byte, byte, byte };
chan toEdge[8] = [UNDER_WAY] of { mtype, byte, byte, byte };
#define WAY(x, s) ((x) * STARTS + (s))

/* Hosts. */
bit alive[STARTS];
byte epoch[2];           /* the newest start of each host */
bit isDown;              /* host 0 is not started again */
byte heard[STARTS * 4];  /* by start and channel, the number of the next frame (`#received`); 0: no such channel */
byte said[STARTS * 4];   /* by start and channel, the number of the next frame to the edge (`#sent`) */
byte latest[8];          /* by edge and start: `lastChannel` of a `Peer` */
#define AT(s, k) ((s) * 4 + (k))

/* Sessions: the second one is made after the first was lost. Places are those in ids: `placeOf` of subjects.ts. */
byte owner[3];           /* by session, the start that made it */
byte effects[6];         /* by session and request id */
bit kept[6];             /* the host's memory of ids, which is gone with its start */
#define OF(life, id) ((life) * 2 + (id) - 1)

/* Edges: `KnownHost` of server/fleet/edge-channels.ts, by edge and host. */
byte known[4];           /* the epoch that the edge believes; 0: not heard of */
bit away[4];
#define VIEW(x, h) ((x) * 2 + (h))

/* Channels: what the client's edge has signed for each (`Grant` of server/fleet/messages.ts), and whether the edge has restarted. */
bit edgeOf[4];
bit hostOf[4];
byte epochOf[4];
byte lifeOf[4];
bit edgeGone[4];

/* The client, and its edge's end of its latest channel. */
#define IDLE 0           /* knows that it has no channel */
#define WAITS 1          /* believes in its channel, and waits for results */
#define GONE 2           /* knows that its session is gone */
#define DONE 3
byte client;
byte life;
bit place;               /* the host of the session */
bit got[3];              /* by request id */
byte channel;
bit isAccepted;
byte sent;
byte received;
byte pings;

byte troubles;

/* Nothing that befalls edges and hosts now concerns the client. */
#define isOver (client == DONE || (client == GONE && life == 2) || (client == IDLE && channel == CHANNELS))

#define isQuiet(x, h) \
  (len(toHost[WAY(x, START(h, 1))]) == 0 && len(toHost[WAY(x, START(h, 2))]) == 0 && \
   len(toEdge[WAY(x, START(h, 1))]) == 0 && len(toEdge[WAY(x, START(h, 2))]) == 0)
/* There is a beat that would change what the edge believes. */
#define hears(x, h, e) \
  (!isOver && epoch[h] >= e && \
   (known[VIEW(x, h)] < e || (known[VIEW(x, h)] == e && away[VIEW(x, h)] && alive[START(h, e)]) || EARLIER(x, h, e)))
#ifdef WITHOUT_NEWEST
#define EARLIER(x, h, e) (known[VIEW(x, h)] > e && alive[START(h, e)])
#else
#define EARLIER(x, h, e) false
#endif
/* Beats of earlier starts do not count. */
#define isDead(x, h) \
  (!alive[START(h, known[VIEW(x, h)])] && !alive[START(h, 2)])
#define isSilent(x, h) (isDead(x, h) || troubles < TROUBLES)
#define canMake(x, h) \
  (client == GONE && life == 1 && known[VIEW(x, h)] > 0 && !away[VIEW(x, h)] && alive[START(h, known[VIEW(x, h)])])

#ifdef WITHOUT_EPOCHS
#define isOfThisStart(s, k) true
#else
#define isOfThisStart(s, k) (epochOf[k] == EPOCH(s))
#endif
#define isFirst(x, s, k) ((k) > latest[WAY(x, s)])
#ifdef WITHOUT_IDS
#define knows(life, id) false
#else
#define knows(life, id) kept[OF(life, id)]
#endif
#define hasSession(s, life) (owner[life] == (s))
#define isUnheard(s, k) (!isOver && heard[AT(s, k)] > 0 && (edgeGone[k] || troubles < TROUBLES))

/* A frame of an edge reaches every process that has the host's name. */
inline toStart(x, s, type, k, number, id) {
  if
  :: alive[s] && len(toHost[WAY(x, s)]) < UNDER_WAY -> toHost[WAY(x, s)]!type, k, number, id
  :: else -> skip
  fi
}
inline tellHost(x, h, type, k, number, id) {
  toStart(x, START(h, 1), type, k, number, id);
  toStart(x, START(h, 2), type, k, number, id)
}

inline tellEdge(x, s, type, k, number, id) {
  if
  :: len(toEdge[WAY(x, s)]) < UNDER_WAY -> toEdge[WAY(x, s)]!type, k, number, id
  :: else -> skip
  fi
}

/* NATS may lose each frame. */
inline mayLose(way) {
  !isOver && troubles < TROUBLES && len(way) > 0 ->
  way?type, k, number, id;
  troubles++;
  printf("%e %d of channel %d is lost\n", type, number, k);
  type = 0; k = 0; number = 0; id = 0
}

/* `#lose` and `lost` of edge-channels.ts and relay-sockets.ts: the client's socket closes, and it is to repeat what was not answered. */
inline lose() {
  client = IDLE; isAccepted = 0; sent = 0; received = 0; pings = 0
}

#define isMine (channel > 0 && client == WAITS && edgeOf[channel] == x)

inline edgeReceives(from) {
  printf("edge %d gets %e %d of channel %d from start %d of host %d\n", x, type, number, k, EPOCH(from), HOST(from));
  if
  :: isMine && k == channel && hostOf[k] == HOST(from) ->
     if
#ifndef WITHOUT_FRAME_NUMBERS
     :: number != received -> printf("edge %d sees a gap and tells the client that its channel is lost\n", x); lose()
#endif
     :: else ->
        received++;
        /* A refusal may come from an earlier start that still runs: see #refuse below. */
        assert(type == ended || type == closed || EPOCH(from) == epochOf[k]);                /* ONE START */
        assert(type == ended || type == closed || EPOCH(from) == known[VIEW(x, HOST(from))]); /* NEWEST */
        if
        :: type == accept ->
           isAccepted = 1;
           /* The client sends what it has no answer for, with the same ids. */
           if
           :: !got[1] -> tellHost(x, hostOf[k], request, k, sent, 1); sent++
           :: else -> skip
           fi;
           if
           :: !got[2] -> tellHost(x, hostOf[k], request, k, sent, 2); sent++
           :: else -> skip
           fi
        :: type == result ->
           assert(effects[OF(life, id)] == 1); /* TRUE */
           assert(owner[life] == from);        /* OWN */
           assert(lifeOf[k] == life);          /* OWN */
           got[id] = 1;
           if
           :: got[1] && got[2] ->
              printf("the client has all results and closes\n");
              tellHost(x, hostOf[k], closed, k, sent, 0);
              lose(); client = DONE
           :: else -> skip
           fi
        :: type == gone ->
           assert(owner[life] != from); /* OWN */
           printf("the client learns that session %d is gone\n", life);
           lose(); client = GONE
        :: type == closed || type == ended -> printf("edge %d tells the client that its channel is lost\n", x); lose()
        :: else -> skip
        fi
     fi
  /* A host that believes in a channel that has ended is told. */
  :: else ->
     if
     :: type == result || type == pong -> tellHost(x, HOST(from), closed, k, 0, 0)
     :: else -> skip
     fi
  fi;
  type = 0; k = 0; number = 0; id = 0
}

inline meets(h, e) {
  if
#ifdef WITHOUT_NEWEST
  :: e < known[VIEW(x, h)] -> known[VIEW(x, h)] = e
#else
  :: e < known[VIEW(x, h)] -> skip
#endif
  :: e > known[VIEW(x, h)] ->
     printf("edge %d hears of start %d of host %d\n", x, e, h);
#ifndef WITHOUT_ENDS
     if
     :: isMine && hostOf[channel] == h ->
        printf("edge %d tells the client that its channel is lost\n", x); lose()
     :: else -> skip
     fi;
#endif
     known[VIEW(x, h)] = e; away[VIEW(x, h)] = 0
  :: e == known[VIEW(x, h)] ->
     if
     :: alive[START(h, e)] && away[VIEW(x, h)] -> printf("edge %d hears host %d again\n", x, h); away[VIEW(x, h)] = 0
     :: else -> skip
     fi
  fi
}

inline makes(h) {
  life = 2; owner[2] = START(h, known[VIEW(x, h)]); place = h; got[1] = 0; got[2] = 0; client = IDLE;
  printf("the client makes session 2 of start %d of host %d\n", known[VIEW(x, h)], h)
}

/* An edge and, while its socket is there, the client. */
proctype Edge(bit x) {
  mtype type; byte k; byte number; byte id;

end:
  do
  /* RelaySockets.upgrade, EdgeChannels.open: at either edge, if it can reach the host. The first one is called edge 0. */
  :: d_step {
      client == IDLE && channel < CHANNELS && (channel > 0 || x == 0) && known[VIEW(x, place)] > 0 && !away[VIEW(x, place)] ->
      channel++;
      edgeOf[channel] = x; hostOf[channel] = place; epochOf[channel] = known[VIEW(x, place)]; lifeOf[channel] = life;
      client = WAITS; sent = 1;
      printf("edge %d opens channel %d to start %d of host %d for session %d\n", x, channel, epochOf[channel], place, life);
      tellHost(x, place, open, channel, 0, 0)
    }

  /* EdgeChannels.#receive, Channel.receive. */
  :: d_step { !isOver && len(toEdge[WAY(x, 0)]) > 0 -> toEdge[WAY(x, 0)]?type, k, number, id; edgeReceives(0) }
  :: d_step { !isOver && len(toEdge[WAY(x, 1)]) > 0 -> toEdge[WAY(x, 1)]?type, k, number, id; edgeReceives(1) }
  :: d_step { !isOver && len(toEdge[WAY(x, 2)]) > 0 -> toEdge[WAY(x, 2)]?type, k, number, id; edgeReceives(2) }
  :: d_step { mayLose(toEdge[WAY(x, 0)]) }
  :: d_step { mayLose(toEdge[WAY(x, 1)]) }
  :: d_step { mayLose(toEdge[WAY(x, 2)]) }

  /* OPEN_MS_MAX of relay-sockets.ts. */
  :: d_step {
      isMine && !isAccepted && isQuiet(x, hostOf[channel]) ->
      printf("edge %d has waited long enough for channel %d\n", x, channel);
      tellHost(x, hostOf[channel], closed, channel, sent, 0);
      lose()
    }
  /* The client asks whether anybody is there (`ping` of protocol/README.md): often enough that one question and its answer get through. */
  :: d_step {
      isMine && isAccepted && pings <= TROUBLES && isQuiet(x, hostOf[channel]) ->
      printf("the client pings over channel %d\n", channel);
      pings++;
      tellHost(x, hostOf[channel], ping, channel, sent, 0);
      sent++
    }

  /* EdgeChannels.#meet: a beat comes. It may have been under way since before the next start. */
  :: d_step { hears(x, 0, 1) -> meets(0, 1) }
  :: d_step { hears(x, 0, 2) -> meets(0, 2) }
  :: d_step { hears(x, 1, 1) -> meets(1, 1) }

  /* EdgeChannels.#beat: AWAY_MS, and then LOST_MS, without a beat. What an edge believes for which the client does not wait would only
     keep the client from asking. */
  :: d_step {
      isMine && known[VIEW(x, place)] > 0 && !away[VIEW(x, place)] && isSilent(x, place) ->
      if
      :: isDead(x, place) -> skip
      :: else -> troubles++
      fi;
      printf("edge %d takes host %d for away\n", x, place);
      away[VIEW(x, place)] = 1
    }
#ifndef WITHOUT_LOST
  :: d_step {
      isMine && away[VIEW(x, hostOf[channel])] ->
      printf("edge %d has not heard host %d for long, and tells the client that its channel is lost\n", x, hostOf[channel]);
      lose()
    }
#endif

  /* A new process, with a new name (`#listen`): nothing reaches it that was for the earlier one. */
  :: d_step {
      !isOver && troubles < TROUBLES ->
      troubles++;
      printf("edge %d restarts\n", x);
      if
      :: isMine -> lose()
      :: else -> skip
      fi;
      known[VIEW(x, 0)] = 0; known[VIEW(x, 1)] = 0; away[VIEW(x, 0)] = 0; away[VIEW(x, 1)] = 0;
      k = 1;
      do
      :: k > channel -> break
      :: else -> edgeGone[k] = edgeGone[k] || edgeOf[k] == x; k++
      od;
      k = 0;
      do
      :: toEdge[WAY(x, 0)]?_, _, _, _
      :: toEdge[WAY(x, 1)]?_, _, _, _
      :: toEdge[WAY(x, 2)]?_, _, _, _
      :: toEdge[WAY(x, 3)]?_, _, _, _
      :: len(toEdge[WAY(x, 0)]) == 0 && len(toEdge[WAY(x, 1)]) == 0 && len(toEdge[WAY(x, 2)]) == 0 && len(toEdge[WAY(x, 3)]) == 0 -> break
      od;
      k = 0
    }

  /* The client makes another session, of any host that this edge can reach: server/fleet/placement.ts, in one step. */
  :: d_step { canMake(x, 0) -> makes(0) }
  :: d_step { canMake(x, 1) -> makes(1) }
  od
}

inline startReceives() {
  printf("start %d of host %d gets %e %d of channel %d\n", EPOCH(s), HOST(s), type, number, k);
  if
  :: type == open ->
     if
     /* #isGood: the grant is for this host and start, and the channel opens for the first time. */
     :: hostOf[k] == HOST(s) && isOfThisStart(s, k) && isFirst(x, s, k) ->
        latest[WAY(x, s)] = k;
        if
        /* #begin */
        :: hasSession(s, lifeOf[k]) ->
           heard[AT(s, k)] = 1; said[AT(s, k)] = 1;
           tellEdge(x, s, accept, k, 0, 0)
        /* The store of the host knows that the session has ended as `server_restarted` (`endUnfinished` in server/app.ts). */
        :: else -> tellEdge(x, s, gone, k, 0, 0)
        fi
     /* #refuse: also by an earlier start that still runs, of a channel that was opened to its successor. */
     :: else -> tellEdge(x, s, ended, k, 0, 0)
     fi
  :: type != open && heard[AT(s, k)] == 0 ->
     if
     :: type != closed -> tellEdge(x, s, ended, k, 0, 0)
     :: else -> skip
     fi
  :: else ->
     if
#ifndef WITHOUT_FRAME_NUMBERS
     /* `lost` in #begin */
     :: number != heard[AT(s, k)] ->
        printf("start %d of host %d sees a gap\n", EPOCH(s), HOST(s));
        tellEdge(x, s, closed, k, said[AT(s, k)], 0);
        heard[AT(s, k)] = 0; said[AT(s, k)] = 0
#endif
     :: else ->
        heard[AT(s, k)] = heard[AT(s, k)] + 1;
        if
        :: type == request ->
           /* Ids that were performed get the answer again (protocol/README.md, 4.1). */
           if
           :: knows(lifeOf[k], id) -> skip
           :: else ->
              assert(id == 1 || effects[OF(lifeOf[k], 1)] > 0); /* IN ORDER */
              kept[OF(lifeOf[k], id)] = 1;
              effects[OF(lifeOf[k], id)] = effects[OF(lifeOf[k], id)] + 1;
              printf("start %d of host %d performs request %d of session %d\n", EPOCH(s), HOST(s), id, lifeOf[k]);
              assert(effects[OF(lifeOf[k], id)] <= 1) /* AT MOST ONCE */
           fi;
           tellEdge(x, s, result, k, said[AT(s, k)], id);
           said[AT(s, k)] = said[AT(s, k)] + 1
        :: type == ping ->
           tellEdge(x, s, pong, k, said[AT(s, k)], 0);
           said[AT(s, k)] = said[AT(s, k)] + 1
        :: else -> heard[AT(s, k)] = 0; said[AT(s, k)] = 0
        fi
     fi
  fi;
  type = 0; k = 0; number = 0; id = 0; x = 0
}

inline ends(k) {
  if
  :: edgeGone[k] -> skip
  :: else -> troubles++
  fi;
  printf("start %d of host %d has not heard edge %d for long, and ends channel %d\n", EPOCH(s), HOST(s), edgeOf[k], k);
  heard[AT(s, k)] = 0; said[AT(s, k)] = 0
}

/* HostChannels (server/fleet/host-channels.ts) of one start of a host. */
proctype Start(byte s) {
  mtype type; byte k; byte number; byte id; bit x;

end:
  do
  :: d_step { toHost[WAY(0, s)]?type, k, number, id -> x = 0; startReceives() }
  :: d_step { toHost[WAY(1, s)]?type, k, number, id -> x = 1; startReceives() }
  :: d_step { mayLose(toHost[WAY(0, s)]) }
  :: d_step { mayLose(toHost[WAY(1, s)]) }

  /* An `open` comes again. */
  :: d_step {
      !isOver && troubles < TROUBLES && alive[s] && channel >= 1 && hostOf[1] == HOST(s) ->
      troubles++; type = open; k = 1; x = edgeOf[1]; startReceives()
    }
  :: d_step {
      !isOver && troubles < TROUBLES && alive[s] && channel >= 2 && hostOf[2] == HOST(s) ->
      troubles++; type = open; k = 2; x = edgeOf[2]; startReceives()
    }

  /* #look: the channel's edge has been silent for LOST_MS. */
  :: d_step { isUnheard(s, 1) -> ends(1) }
  :: d_step { isUnheard(s, 2) -> ends(2) }
  :: d_step { isUnheard(s, 3) -> ends(3) }

  :: d_step {
      !isOver && s == START(0, 2) && epoch[0] == 1 && !isDown && !alive[START(0, 1)] ->
      isDown = 1;
      printf("host 0 stays down\n")
    }
  /* The next start, by the next epoch. The earlier one may have died, or may still run. */
  :: d_step {
      !isOver && s == START(0, 2) && epoch[0] == 1 && !isDown ->
      epoch[HOST(s)] = 2; alive[s] = 1;
      printf("host %d starts again\n", HOST(s));
#ifdef WITHOUT_RESTARTED
      if
      :: owner[life] == START(HOST(s), 1) -> owner[life] = s; kept[OF(life, 1)] = 0; kept[OF(life, 2)] = 0
      :: else -> skip
      fi
#endif
    }
  :: d_step {
      !isOver && s == START(0, 1) && alive[s] ->
      alive[s] = 0;
      printf("start %d of host %d dies\n", EPOCH(s), HOST(s));
      k = 1;
      do
      :: k > 3 -> break
      :: else -> heard[AT(s, k)] = 0; said[AT(s, k)] = 0; k++
      od;
      k = 0; latest[WAY(0, s)] = 0; latest[WAY(1, s)] = 0;
      do
      :: toHost[WAY(0, s)]?_, _, _, _
      :: toHost[WAY(1, s)]?_, _, _, _
      :: len(toHost[WAY(0, s)]) == 0 && len(toHost[WAY(1, s)]) == 0 -> break
      od;
      k = 0
    }
  od
}

init {
  atomic {
    /* Both hosts have started, both edges know, and host 0 has a session. */
    alive[START(0, 1)] = 1; alive[START(1, 1)] = 1;
    epoch[0] = 1; epoch[1] = 1;
    known[0] = 1; known[1] = 1; known[2] = 1; known[3] = 1;
    life = 1; owner[1] = START(0, 1);
    run Edge(0); run Edge(1);
    run Start(0); run Start(1); run Start(2)
  }
  /* Nothing more can happen by itself. */
end:
  do
  :: timeout -> assert(client != WAITS); break /* KNOWS */
  od
}
