// One file of the page: FILE is its path from here.
{
    &FILE[sizeof "page"],
    (const unsigned char[]){
#embed FILE
    },
    sizeof (const unsigned char[]){
#embed FILE
    },
},
#undef FILE
