import { API_NOUN_LINES } from "./api-noun-words.ts";
import { type Synonyms, readSynonyms } from "./read-synonyms.ts";
import { ELSEWHERE_LINES, TRADE_LINES } from "./trade-words.ts";

/**
 * Words of everyday speech and the words that APIs use for what they mean: a line is the words on the left, an arrow, and the words
 * they may stand for; without an arrow each may stand for each. Two words with a dash between are one name (TEACH-48).
 */
const LINES = `
picture photo photograph image thumbnail graphic drawing
screenshot image attachment upload
thumbnail > preview
portrait > avatar photo
icon logo
container image
machine server host node computer instance vm
virtual-machine > server instance
disk volume storage
space > storage size usage
ram > memory
cpu processor
data-center > region location zone
user member person account
people person user member
human > person user
colleague staff employee > user member person
who > user member person owner author
customer client buyer shopper subscriber
purchaser consumer > customer buyer
seller vendor merchant supplier
owner holder
owe > balance invoice unpaid due
responsible > owner assignee maintainer
admin administrator
moderator > group member role
author writer creator
contractor > vendor supplier
doctor physician
physician surgeon specialist > doctor
medicine drug medication
pill tablet-drug > drug medicine
patient > person
invoice bill
bill charge
charge payment
payment pay transaction
money > payment amount balance payout
income revenue turnover > payment charge amount fee
pay paid > payment invoice charge fee
paid unpaid
paid-back pay-back give-back money-back > refund
refund reimburse
price cost fee rate tariff
expensive cheap > price cost
cost charge
ride trip fare
fare fee ticket
discount coupon voucher
debit credit > card payment
subscription membership
subscribe subscriber > subscription customer
recurring > subscription
trial > subscription
order purchase buy
buy buying bought > order purchase
sell selling sale sold > listing order sale
parcel package shipment shipping delivery ship
send-off dispatch deliver > shipment shipping ship
postage > shipping
product item article goods
merchandise ware > product
stock inventory
supply > stock inventory
shop store
cart basket
payout > transfer payment balance
withdraw > payout retreat
address location residence
live > address city location country
where > address location place
phone telephone call
mail email
e-mail > email
message post text chat dm
text sms
tell ask question > message conversation
thread conversation discussion topic
talk talking chat > conversation topic message
channel room
forum > topic post category
question > discussion topic issue
section heading > category
comment reply answer response remark
answer > post comment
respond > reply
note comment remark memo
write wrote written > note text body comment
review rating opinion
star rating
think opinion > review
like emoji thumb heart > reaction
vote > poll reaction
notification unread inbox
inbox mailbox > notification message
alarm alert
page paged > alert
firing > alert
medal award > badge
ticket issue bug task case
problem defect > issue error incident
defect broken fault > error state status issue
feature > issue
story > issue article
task job todo
to-do > todo task
card > item task
board kanban > project
roadmap > project milestone
column > field option status
sprint > iteration
milestone version
release version
publish published > release
roll-out rollout > deployment
deploy live release > deployment
build pipeline run ci
ci > workflow pipeline check job
nightly cron > schedule workflow
schedule calendar > plan event
step > job task
log output
log journal history
error failure fail exception
incident outage > alert event issue
event activity occurrence
activity action
reopen close > state event
change edit revision > history commit
touch > change commit
diff difference > comparison compare change
differ > comparison
pr > pull request
mr > merge request
repo > repository
code > repository source
fork clone copy
org > organization
company firm business > organization
group team
belong > member membership
join invite > membership member invitation
kick > remove
work > member membership
file document attachment
pdf > file document
folder directory
page document
wiki > page
article page
table database list
row > record item page
link url bookmark
tag keyword label
hashtag > tag
group > collection
role permission right
allowed may > permission role right
access right > permission role
maintainer > member role owner
password > credential secret token
key token credential
secret credential
login session
log-in logged-in sign-in signed-in > session login user
sign-out log-out > session
sign > session login
device > session
rule policy
policy > regulation
comply compliance > policy check rule
forbid allow > rule policy permission
security-hole cve weakness > vulnerability
hole > vulnerability
virus > malware
scan > analysis check
analyse > analysis
healthy alive > health status
reachable > status availability
state status condition
inactive active > status
switch-off turn-off > disable stop state
switch-on turn-on > enable start state
pause > status state stop
stop cancel abort
undo > void revert cancel
call-off > cancel
restart reboot
rerun retry
grow enlarge > resize
throw-away get-rid erase > delete
ban throw-out > suspend delete
fix correct > update edit
put-off postpone > reschedule update
metric measure
statistic > metric count stats
figure > count
count > statistic
busy popular > top count
usage consumption used use
gigabyte megabyte data > usage traffic
burn > usage
limit quota maximum
threshold > limit rule
setting configuration config preference option
remember > preference setting pref
region area
country nation
language tongue
speak > language
currency money
symbol > currency
station stop
lift elevator
escalator elevator lift > facility
journey trip voyage crossing travel
pier landing
pass > ticket
appointment booking reservation visit
slot > appointment
checkup check-up > appointment
automatic automation > workflow rule
process > workflow
network carrier
operator provider > network carrier
sim card
smartphone handset tablet > device phone
gadget appliance > device
borrow reserve > loan device use
lend lent borrow > loan
notify > notification subscription
subscribe > subscription
webhook hook callback
call > webhook
upload import attach
download export
save > export backup
backup snapshot
copy > snapshot backup clone
version edition revision
issue > edition
news > article post story
press > release post
headline > title post
carousel > slide
front-page > home
home-page > home
minister > ministry
department > ministry group team
schema specification definition spec
contract > specification schema
openapi wsdl swagger > specification api document
service api
endpoint > url api
mock > stub
example sample
trace > log event
domain zone
dns > record domain
mx cname > record
entry record
set collection
dictionary > word lexeme term
word > lexeme term
monster creature beast
magic spell
weapon armor armour > equipment
hit-point > hp
attack damage
holiday vacation away
leave > absence vacation
draft idea
attribute property field
option choice
column > property
artifact > output
artist sculptor painter > maker author artist
maker manufacturer brand
draw drawn > artist illustrator
drawing > illustrator
sculpture painting artwork > piece work
work > piece artwork
tale > story
novel title > book
watch wish > wishlist
follow > subscription
offer bid > negotiation
negotiate haggle > negotiation offer
kind sort type
category kind
sort > category
pixel > image
anonymous > anonymization
nickname > username
hour hours > time
timesheet > time entry
book-hour log-hour spend-hour > time entry
fruit yield > harvest
town > city
municipality > city
telephone-number > phone
dialling-code > phone
ip > address
sync > connection job
pull load > import source destination
warehouse > destination
connector > connection source definition
connect > connection
database > source table
transformation > operation
platform > source system
provision > instance
plan > price subscription
weigh heavy > weight
tall > height
contact reach > email phone address
birthday born > birth
grant > permission role
assign > assignee
expire > expiry expiration
evolve evolution > stage
rare seldom > rarity
profile-picture > avatar
turn-on turn-off > configuration setting
forget > reset delete
fight > combat
examination exam > study test visit
parcel > order
mark label > tag
meeting appointment > event calendar
event > meeting
invitee guest attendee participant
contact > person customer lead
lead prospect > contact
deal opportunity
salary wage payroll
absence leave vacation
lesson course class
pupil student learner
teacher instructor trainer
mark score > grade
rent rental > booking reservation lease
tenant > customer renter
hotel accommodation > room property
flat apartment house > property listing
flight > trip booking
passenger traveller > customer
car vehicle automobile
driver chauffeur > user person
tracking > shipment delivery
song track tune
singer band musician > artist
album record > release
clip film movie > video
survey form questionnaire
campaign mailing newsletter
newsletter > campaign edition
audience list segment
budget expense spending
receipt > invoice payment
tax vat
bank-account > account
wire > transfer
wallet > balance account
sensor > device reading
reading measurement value > sample
temperature > sensor measurement
recipe dish meal
website site page
homepage > page site home
certificate cert
firewall > rule security
cluster > node group
bucket > storage
queue > job message
shift > schedule
deadline due > date milestone
overdue late > due status
priority urgent urgency
severity critical > priority alert
assignment > task assignee
approval approve > review
sign signature > document
letter > message mail document
complaint > ticket feedback issue
feedback review rating
help support > ticket
faq > article question
chapter section > part
draft unpublished
archive old > archived
trash bin > deleted
barcode sku > product
colour color
size dimension
quantity stock > inventory
`;

let known: Synonyms | null = null;

/**
 * The table that servers give to discovery: it is data, and a page in a browser may go without it. It is read when it is first
 * asked for, as a server tells its tools before that.
 */
export const everydayWords = (): Synonyms =>
  (known ??= readSynonyms(LINES + TRADE_LINES + API_NOUN_LINES + ELSEWHERE_LINES));
