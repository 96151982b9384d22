/* The baseline of the benchmark "kernels": what one core can do at random play of the classic game for two.
 *
 * A C program built for this one table alone: no other edition, no other number of seats, no question why a move is not
 * legal. It plays by the same rules as the package (random legal move at each decision), packs a hand into one word in the
 * same way, and steps K hands in turn so that their latencies overlap. It shares no code with the package, so equal mean
 * scores are a check of both. Needs BMI2 (pdep) and gcc.
 *
 *   gcc -O3 -march=native -std=gnu99 -o limit limit.c -lm        (checked: -DDEBUG -O1 -fsanitize=address,undefined)
 *   ./limit HANDS SEED
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <immintrin.h>
#ifdef DEBUG
#include <assert.h>
#endif
typedef uint64_t u64; typedef uint32_t u32; typedef uint8_t u8; typedef unsigned __int128 u128;
#ifndef K
#define K 4
#endif
/* kinds: 0-4 = 25 50 75 100 200; 5-9 = accident gas flat stop limit; 10-14 = repairs gasoline spare roll eol; 15-18 safeties */
static const int NCARD[19]={10,10,10,12,4, 3,3,3,5,4, 6,6,6,14,6, 1,1,1,1};
static const int UNIT[5]={1,2,3,4,8};
#define M3 0x0249249249249249ULL            /* bits 0,3,...,57; bit 57 is never a card */
#define MK (M3 & ((1ULL<<57)-1))
#define HANDBITS ((1ULL<<57)-1)
/* player word: 0-3 safeties, 4 limit, 5-8 battle top, 9-14 distance/25, 15-16 200s, 17-19 coups */
enum{EMPTY=0,ROLL=1,ACC=2,GAS=3,FLAT=4,REP=5,GASO=6,SPARE=7,STOP=9};
#define LIM (1u<<4)
#define TOP(x) ((u32)(x)<<5)
#define TOPM (15u<<5)
#define ROW 8u
static u64 TOWN[512],TOPP[512],TDIST[2][256];
typedef struct{u32 keep,add,okeep,oadd; u64 sub,coup; u32 flip,saf; u64 pad;}Move; /* 48 -> pad */
static Move MV[64];
static u8 BASE[106];

static int moving(u32 st){u32 t=st>>5&15,s=st&15;
  if(t==ROLL)return 1; if(!(s&ROW))return 0;
  if(t==ACC)return s&1; if(t==GAS)return s>>1&1; if(t==FLAT)return s>>2&1; if(t==STOP)return 0; return 1;}
#define PB(k) (1ULL<<(3*(k)+1))            /* play bit of kind k; discard bit is 3k */
static void tables(void){
  for(u32 st=0;st<512;st++){u32 t=st>>5&15,s=st&15; u64 m=0,o=0; int mv=moving(st), lim=(st&LIM)&&!(s&ROW);
    if(mv){m|=PB(0)|PB(1); if(!lim)m|=PB(2)|PB(3)|PB(4);}
    if(t==ACC&&!(s&1))m|=PB(10); if(t==GAS&&!(s&2))m|=PB(11); if(t==FLAT&&!(s&4))m|=PB(12);
    if(t==EMPTY||t==STOP||t==REP||t==GASO||t==SPARE||(t==ACC&&(s&1))||(t==GAS&&(s&2))||(t==FLAT&&(s&4)))m|=PB(13);
    if(lim)m|=PB(14);
    m|=PB(15)|PB(16)|PB(17)|PB(18);
    if(mv)for(int i=0;i<4;i++)if(!(s>>i&1))o|=PB(5+i);
    if(!(s&ROW)&&!(st&LIM))o|=PB(9);
    TOWN[st]=m;TOPP[st]=o;}
  for(int g=0;g<2;g++)for(int x=0;x<256;x++){int d=x&63,n2=x>>6,goal=g?40:28; u64 m=~0ULL;
    for(int k=0;k<5;k++)if(d+UNIT[k]>goal)m&=~PB(k);
    if(n2>=2)m&=~PB(4);
    TDIST[g][x]=m;}
  for(int k=0;k<19;k++)for(int pl=0;pl<2;pl++){Move*m=&MV[3*k+pl]; m->keep=m->okeep=~0u; m->add=m->oadd=0; m->sub=1ULL<<(3*k); m->coup=0; m->flip=1; m->saf=0;
    if(!pl)continue;
    if(k<5)m->add=(u32)UNIT[k]<<9|(k==4?1u<<15:0);
    else if(k<9){static const int h[4]={ACC,GAS,FLAT,STOP}; m->okeep=~TOPM; m->oadd=TOP(h[k-5]); m->coup=1ULL<<(3*(15+k-5)); m->saf=1u<<(k-5);}
    else if(k==9){m->okeep=~LIM; m->oadd=LIM; m->coup=1ULL<<(3*18); m->saf=ROW;}
    else if(k<14){static const int r[4]={REP,GASO,SPARE,ROLL}; m->keep=~TOPM; m->add=TOP(r[k-10]);}
    else if(k==14)m->keep=~LIM;
    else{m->add=1u<<(k-15); m->flip=0; if(k==18)m->keep=~(LIM|TOP(8));} /* right of way: stop(9)->roll(1), limit off */
  }
  int n=0; for(int k=0;k<19;k++)for(int c=0;c<NCARD[k];c++)BASE[n++]=3*k;
}
typedef struct{u64 H[2]; u32 S[2]; u32 me,pos,goal,dec; u64 rng; u8 D[192];
#ifdef DEBUG
  int out[19];
#endif
}Lane;
static inline __attribute__((always_inline)) u64 wy(u64*s){u64 x=*s+=0xa0761d6478bd642fULL; u128 m=(u128)x*(x^0xe7037ed1a0b428dbULL); return (u64)(m>>64)^(u64)m;}
static u64 splitmix(u64*x){u64 z=*x+=0x9e3779b97f4a7c15ULL; z=(z^z>>30)*0xbf58476d1ce4e5b9ULL; z=(z^z>>27)*0x94d049bb133111ebULL; return z^z>>31;}

static void deal(Lane*L){
  u8*D=L->D; memcpy(D,BASE,106); u64 s=L->rng;
  for(int i=105;i>=5;i-=5){u64 r=wy(&s);      /* five bounded numbers from one word (bias < 2^-30) */
#define SW(j) {u128 m=(u128)r*(u32)((j)+1); u32 q=(u32)(m>>64); r=(u64)m; u8 t=D[j]; D[j]=D[q]; D[q]=t;}
    SW(i) SW(i-1) SW(i-2) SW(i-3) SW(i-4)}
  L->rng=s;
  u64 a=0,b=0; for(int i=0;i<6;i++){a+=1ULL<<D[2*i]; b+=1ULL<<D[2*i+1];}
  L->H[0]=a;L->H[1]=b;L->S[0]=L->S[1]=0;L->me=0;L->pos=12;L->goal=28;L->dec=0;
#ifdef DEBUG
  memset(L->out,0,sizeof L->out);
#endif
}
#ifdef DEBUG
static void check(const Lane*L){ int c[19],tot=0; memset(c,0,sizeof c);
  for(int p=0;p<2;p++){int sz=0; for(int k=0;k<19;k++){int n=L->H[p]>>(3*k)&7; c[k]+=n; sz+=n;} assert(sz<=7);
    u32 s=L->S[p]; assert((s>>15&3)<=2); assert((int)(s>>9&63)<=(int)L->goal); assert(!((s&ROW)&&((s&LIM)||(s>>5&15)==STOP)));
    for(int i=0;i<4;i++)if(s>>i&1)assert(!((L->H[0]|L->H[1])>>(3*(15+i))&1)); assert((s>>17&7)<=(u32)__builtin_popcount(s&15));}
  for(u32 i=L->pos;i<106;i++)c[L->D[i]/3]++;
  for(int k=0;k<19;k++){assert(c[k]+L->out[k]==NCARD[k]); tot+=c[k]+L->out[k];} assert(tot==106);}
#endif
/* one decision; 0 = goes on, 1 = hand over without completion, 2 = completed by L->me */
static inline __attribute__((always_inline)) int step(Lane*L){
  u32 me=L->me,op=me^1;
  u64 h=L->H[me]+(1ULL<<L->D[L->pos]); L->pos++;      /* draw one; past the end the pad "card" is bit 63, outside the hand */
  u32 st=L->S[me],so=L->S[op];
  u64 pr=(h|h>>1|h>>2)&MK;
  u64 lg=pr|(((TOWN[st&511]&TDIST[L->goal==40][st>>9&255])|TOPP[so&511])&pr<<1);
  u64 n=(u64)__builtin_popcountll(lg);
  if(__builtin_expect(n==0,0)){ L->me=op; return !(L->H[op]&HANDBITS)&&L->pos>=106; }
  u64 r=(wy(&L->rng)>>32)*n>>32;
  int p=(int)_tzcnt_u64(_pdep_u64(1ULL<<r,lg));
  const Move*m=&MV[p];
  L->dec++;
  h-=m->sub; L->H[me]=h;
  u32 sn=(st&m->keep)+m->add, son=(so&m->okeep)+m->oadd;
#ifdef DEBUG
  L->out[p/3]++; assert(p%3<2);
#endif
  if(__builtin_expect((L->H[op]&m->coup)!=0,0)){
    L->dec++;
    if(wy(&L->rng)>>63){ son=so+m->saf+(1u<<17); if(m->saf==ROW)son&=~(LIM|TOP(8)); /* right of way, however it arrives, discards an own stop and limit */
      L->H[op]+=(1ULL<<L->D[L->pos])-m->coup; L->pos++;
#ifdef DEBUG
      L->out[15+__builtin_ctz(m->saf)]++;
#endif
    }}
  L->S[me]=sn; L->S[op]=son;
#ifdef DEBUG
  check(L);
#endif
  if(__builtin_expect((sn>>9&63)==L->goal,0)){
    if(L->goal==40)return 2;
    L->dec++; if(wy(&L->rng)>>63)return 2;
    L->goal=40;
  }
  L->me=me^m->flip;
  return 0;
}
static double S1[2],S2[2],SD,SD2,SX; static u64 hands,decs,comp,exts,coups,safs,delayed,shut;
static __attribute__((noinline)) void finish(Lane*L,int how){
  int sc[2];
  for(int p=0;p<2;p++){u32 s=L->S[p]; int ns=__builtin_popcount(s&15),nc=s>>17&7;
    sc[p]=25*(int)(s>>9&63)+100*ns+(ns==4?300:0)+300*nc; coups+=nc; safs+=ns;
    if(how==2&&p==(int)L->me){u32 o=L->S[p^1];
      sc[p]+=400+(L->pos>=106?300:0)+((s>>15&3)==0?300:0)+(L->goal==40?200:0)+((o>>9&63)==0?500:0);
      delayed+=L->pos>=106; shut+=(o>>9&63)==0;}}
  hands++; decs+=L->dec; comp+=how==2; exts+=L->goal==40;
  for(int p=0;p<2;p++){S1[p]+=sc[p]; S2[p]+=(double)sc[p]*sc[p];}
  SD+=L->dec; SD2+=(double)L->dec*L->dec; SX+=25.0*((L->S[0]>>9&63)+(L->S[1]>>9&63));
}
int main(int c,char**v){
  if(c<3){fprintf(stderr,"usage: %s HANDS SEED\n",v[0]);return 2;}
  u64 N=strtoull(v[1],0,10),seed=strtoull(v[2],0,10); if(!N)return 2;
  tables(); static Lane L[K]; struct timespec a,b; struct timespec ca,cb; clock_gettime(CLOCK_MONOTONIC,&a); clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&ca);
  u64 started=0; int live=0;
  for(int l=0;l<K;l++){memset(L[l].D,63,sizeof L[l].D); L[l].rng=splitmix(&seed); if(started<N){deal(&L[l]);started++;live++;}}
  if(live==K)for(int stop=0;!stop;){
#pragma GCC unroll 16
    for(int l=0;l<K;l++){int e=step(&L[l]);
      if(__builtin_expect(e,0)){finish(&L[l],e);
        if(started<N){deal(&L[l]);started++;} else{L[l]=L[--live]; stop=1; break;}}}
  }
  for(int l=0;l<live;l++){int e; while(!(e=step(&L[l])));finish(&L[l],e);}
  clock_gettime(CLOCK_MONOTONIC,&b); clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&cb);
  double w=(b.tv_sec-a.tv_sec)+1e-9*(b.tv_nsec-a.tv_nsec),t=(cb.tv_sec-ca.tv_sec)+1e-9*(cb.tv_nsec-ca.tv_nsec);
  double n=(double)hands;
  printf("hands %llu  cpu_seconds %.4f  wall_seconds %.4f  lanes %d\ndecisions/s %.0f (wall %.0f)\nhands/s %.0f (wall %.0f)\n",(unsigned long long)hands,t,w,K,decs/t,decs/w,n/t,n/w);
#define SE(x,q) sqrt(((q)/n-((x)/n)*((x)/n))/n)
  printf("mean_decisions_per_hand %.4f se %.4f\n",SD/n,SE(SD,SD2));
  printf("mean_score_0 %.4f se %.4f\nmean_score_1 %.4f se %.4f\n",S1[0]/n,SE(S1[0],S2[0]),S1[1]/n,SE(S1[1],S2[1]));
  double f=comp/n; printf("completed %.6f se %.6f\nextended %.6f\ncoups_per_hand %.6f\nsafeties_per_hand %.6f\ndelayed %.6f\nshutout %.6f\nmean_distance_both %.4f\n",f,sqrt(f*(1-f)/n),exts/n,coups/n,safs/n,delayed/n,shut/n,SX/n);
  return 0;
}
